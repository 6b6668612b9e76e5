// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IGrantFiller} from "./interfaces/IGrantFiller.sol";
import {IPositionAccount} from "./interfaces/IPositionAccount.sol";
import {IVault} from "./interfaces/IVault.sol";
import {AttestationDigest} from "./libraries/AttestationDigest.sol";
import {GrantMath} from "./libraries/GrantMath.sol";
import {OpeningRules} from "./libraries/OpeningRules.sol";
import {OutcomeLedger} from "./libraries/OutcomeLedger.sol";
import {SaleRules} from "./libraries/SaleRules.sol";
import {SignerConsent} from "./libraries/SignerConsent.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {PositionContext} from "./PositionContext.sol";
import {StoredOutcome} from "./StoredOutcome.sol";
import {StoredGrant, StoredPosition} from "./StoredPosition.sol";
import {
    BPS,
    DUST_TOKEN_UNITS,
    GRANT_ATTESTATION_AGE,
    GRANT_BAND_BPS,
    GRANT_COST_BPS,
    GRANT_REST_DIVISOR,
    GRANT_UNWIND_BAND_BPS,
    GRANT_UNWIND_COST_BPS,
    GRANT_WIDE_BAND_BPS,
    MAX_EXIT_BUFFER_BPS,
    MAX_GRANT_TIME,
    MAX_VENUE_FEE_BPS,
    MIN_FILL_DIVISOR,
    MIN_GRANT_TIME,
    MIN_ORDER_TOKEN_UNITS,
    OPENING_EQUITY_BPS,
    PIPS
} from "./VaultConstants.sol";

/// @title FillRoute
/// @notice Anyone fills: for some seconds the vault itself trades for an account with its caller, at a price that
/// moves from the attested mark to the limit. No one is given an allowance, and a fill is whole inside one call. A
/// linked library of the vault: it runs in the vault's storage and under the vault's lock; who may call, and when, the
/// vault has decided before.
library FillRoute {
    using SafeERC20 for IERC20;
    using UnitMath for uint256;

    /// @notice Consent that a grant needs.
    struct Consent {
        uint256 requiredSignatures;
        IVault.Purpose purpose;
        uint256 mostUnits;
    }

    /// @dev Hash of an outstanding order that is a grant.
    bytes32 internal constant NO_HASH = bytes32(0);

    // ---------------------------------------------------------------- begin

    /// @notice Checks a grant completely and notes it as the position's outstanding order.
    function begin(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        mapping(address => bool) storage priceSigners,
        PositionContext calldata c,
        Consent calldata consent,
        IVault.GrantAttestation calldata a,
        bytes calldata signatures
    ) external {
        if (
            a.positionKey != c.positionKey ||
            a.marketId != outcome.conditionId ||
            a.tokenId != outcome.tokenId ||
            a.purpose != uint8(consent.purpose)
        ) revert IVault.AttestationMismatch();
        SignerConsent.check(
            priceSigners,
            consent.requiredSignatures,
            AttestationDigest.digest(a, address(this)),
            signatures
        );
        _checkMoment(outcome, c, a.observedAt, a.validFor, a.notAfter);
        note(position, outcome, c, consent.mostUnits, a);
    }

    /// @notice Checks what the members of a batch have in common: purpose, signatures, times, an unknown result.
    function checkBatch(
        StoredOutcome storage outcome,
        mapping(address => bool) storage priceSigners,
        PositionContext calldata c,
        uint256 requiredSignatures,
        IVault.GrantBatch calldata batch,
        bytes calldata signatures
    ) external view {
        if (batch.purpose < uint8(IVault.Purpose.Close) || batch.purpose > uint8(IVault.Purpose.Liquidate)) {
            revert IVault.AttestationMismatch();
        }
        SignerConsent.check(
            priceSigners,
            requiredSignatures,
            AttestationDigest.digest(batch, address(this)),
            signatures
        );
        _checkMoment(outcome, c, batch.observedAt, batch.validFor, batch.notAfter);
    }

    /// @dev Checks a grant whose signatures and moment are checked, and notes it as the position's outstanding order.
    function note(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 mostUnits,
        IVault.GrantAttestation calldata a
    ) internal {
        IVault.Purpose purpose = IVault.Purpose(a.purpose);
        uint256 limitPips = _checkAttestation(position, purpose, a);
        uint8 served = _servedWith(position.grant, purpose, a.observedAt);
        if (mostUnits == 0 || mostUnits > a.mostUnits || mostUnits > type(uint48).max) {
            revert IVault.OrderAmountOutOfRange();
        }

        bool buys = purpose == IVault.Purpose.Open;
        uint256 startPips = buys ? limitPips.min(a.markPips) : limitPips.max(a.markPips);
        bool covered = true;
        if (buys) _checkOpening(position, outcome.tokenId, c, mostUnits, limitPips, a);
        else covered = _checkSale(position, purpose, mostUnits, limitPips, a);

        uint256 endsAt = UnitMath.min(block.timestamp + a.validFor, a.notAfter);
        position.grant = StoredGrant({
            filledUnits: 0,
            startsAt: uint32(block.timestamp),
            observedAt: uint32(a.observedAt),
            served: served,
            validFor: uint8(a.validFor),
            startPips: uint16(startPips),
            limitPips: uint16(limitPips),
            venueFeeBps: a.venueFeeBps,
            markPips: uint16(a.markPips),
            isWhole: !covered
        });
        position.orderMakerAmount = uint48(mostUnits);
        position.orderValidUntil = uint32(endsAt);
        position.orderPurpose = purpose;
        if (!isGrant(position)) position.orderHash = NO_HASH;
        emit IVault.GrantAuthorized(
            c.positionKey,
            purpose,
            mostUnits,
            a.markPips,
            uint32(startPips),
            uint32(limitPips),
            a.venueFeeBps,
            a.validFor,
            endsAt
        );
    }

    /// @dev Return whether the outstanding order is a grant; without an outstanding order it means nothing.
    function isGrant(StoredPosition storage position) internal view returns (bool) {
        return position.orderHash == NO_HASH;
    }

    // ---------------------------------------------------------------- filling

    /// @dev IVault.fill of a live grant. Return what the caller gave and took, and whether the grant ends now.
    function fill(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 giveUnits,
        uint256 takeUnits,
        bytes calldata data
    ) internal returns (uint256 givenUnits, uint256 takenUnits, bool done) {
        if (giveUnits > type(uint48).max || takeUnits > type(uint48).max) revert IVault.OrderAmountOutOfRange();
        _checkUndecided(outcome, c);
        StoredGrant memory g = position.grant;
        IVault.Purpose purpose = position.orderPurpose;
        bool buys = purpose == IVault.Purpose.Open;
        if (purpose == IVault.Purpose.Liquidate) SaleRules.checkLiquidatable(position, g.markPips);

        GrantMath.Price memory price = GrantMath.priceOf(g, buys, block.timestamp - g.startsAt);
        uint256 left = position.orderMakerAmount - g.filledUnits;
        GrantMath.Part memory part = buys
            ? GrantMath.purchase(price, giveUnits, takeUnits, left)
            : GrantMath.sale(price, giveUnits, takeUnits, left);
        if (!GrantMath.isAtPrice(price, buys, part) || (buys && !_isUsersPrice(position, part))) {
            revert IVault.GrantPriceTooPoor();
        }
        if (!_isPartAllowed(position, g, buys, part)) revert IVault.GrantPartTooSmall();

        position.grant.filledUnits = uint48(g.filledUnits + part.makerUnits);
        emit IVault.GrantFilled(
            c.positionKey,
            msg.sender,
            purpose,
            buys ? part.takenUnits : part.givenUnits,
            buys ? part.givenUnits : part.takenUnits,
            part.feeUsdcUnits
        );
        if (data.length == 0) {
            _pull(c, outcome.tokenId, buys, part.givenUnits);
            _pay(c, outcome.tokenId, buys, part.takenUnits);
        } else {
            _pay(c, outcome.tokenId, buys, part.takenUnits);
            // Only the caller, by one selector: the vault holds allowances of every user and filler.
            IGrantFiller(msg.sender).onGrantFill(c.positionKey, part.givenUnits, part.takenUnits, data);
            // What is paid by the result itself is refused: a result reported inside the call undoes the fill.
            _checkUndecided(outcome, c);
            _pull(c, outcome.tokenId, buys, part.givenUnits);
        }
        left -= part.makerUnits;
        done = buys ? left <= position.orderMakerAmount / GRANT_REST_DIVISOR : left < DUST_TOKEN_UNITS;
        return (part.givenUnits, part.takenUnits, done);
    }

    /// @notice IVault.quoteFill of a live grant.
    function quote(
        StoredPosition storage position,
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 giveUnits
    ) external view returns (uint256 givenUnits, uint256 takenUnits) {
        StoredGrant memory g = position.grant;
        IVault.Purpose purpose = position.orderPurpose;
        if (!OutcomeLedger.isUndecided(outcome, c)) return (0, 0);
        if (purpose == IVault.Purpose.Liquidate && !SaleRules.isLiquidatable(position, g.markPips)) return (0, 0);
        bool buys = purpose == IVault.Purpose.Open;
        GrantMath.Price memory price = GrantMath.priceOf(g, buys, block.timestamp - g.startsAt);
        uint256 left = position.orderMakerAmount - g.filledUnits;
        giveUnits = giveUnits.min(type(uint48).max);
        GrantMath.Part memory part = buys
            ? GrantMath.bestPurchase(
                price,
                giveUnits,
                left,
                position.minPositionTokenUnits,
                position.notionalUsdcUnits
            )
            : GrantMath.bestSale(price, giveUnits, left);
        if (!_isPartAllowed(position, g, buys, part)) return (0, 0);
        return (part.givenUnits, part.takenUnits);
    }

    /// @dev The outstanding grant in the interface's fields.
    function toView(StoredPosition storage position) internal view returns (IVault.LiveGrant memory grant) {
        grant.purpose = position.orderPurpose;
        grant.mostUnits = position.orderMakerAmount;
        grant.filledUnits = position.grant.filledUnits;
        grant.startsAt = position.grant.startsAt;
        grant.validFor = position.grant.validFor;
        grant.endsAt = position.orderValidUntil;
        grant.startPips = position.grant.startPips;
        grant.limitPips = position.grant.limitPips;
        grant.venueFeeBps = position.grant.venueFeeBps;
        grant.markPips = position.grant.markPips;
    }

    // ---------------------------------------------------------------- checks

    /// @dev Age and times of a consent, and that the result is unknown.
    function _checkMoment(
        StoredOutcome storage outcome,
        PositionContext calldata c,
        uint256 observedAt,
        uint256 validFor,
        uint256 notAfter
    ) private view {
        if (observedAt > block.timestamp || block.timestamp - observedAt > GRANT_ATTESTATION_AGE) {
            revert IVault.AttestationStale();
        }
        if (validFor < MIN_GRANT_TIME || validFor > MAX_GRANT_TIME || notAfter < block.timestamp) {
            revert IVault.GrantTimeOutOfRange();
        }
        _checkUndecided(outcome, c);
    }

    /// @dev Prices, fee and bands. At the end of a grant its limit is the price: every purpose has bands. Return the
    /// attested limit or the user's own where that is tighter.
    function _checkAttestation(
        StoredPosition storage position,
        IVault.Purpose purpose,
        IVault.GrantAttestation calldata a
    ) private view returns (uint256 limitPips) {
        if (a.exitBufferBps > MAX_EXIT_BUFFER_BPS) revert IVault.AttestationBufferTooHigh();
        limitPips = _limitOf(position, purpose, a.limitPips);
        if (
            a.markPips == 0 ||
            a.markPips > PIPS ||
            a.limitPips == 0 ||
            a.limitPips > PIPS ||
            a.venueFeeBps > MAX_VENUE_FEE_BPS ||
            !_isInBands(position, purpose, limitPips, a)
        ) revert IVault.AttestationPriceOutOfRange();
    }

    /// @dev The purposes that observations of one second have served, this one included. A consent serves once, so each
    /// purpose takes one observation of a second, and none is taken after a newer one.
    function _servedWith(
        StoredGrant storage last,
        IVault.Purpose purpose,
        uint256 observedAt
    ) private view returns (uint8 served) {
        uint8 bit = uint8(1 << uint8(purpose));
        uint256 lastObservedAt = last.observedAt;
        served = observedAt == lastObservedAt ? last.served : 0;
        if (observedAt < lastObservedAt || served & bit != 0) revert IVault.AttestationUsed();
        return served | bit;
    }

    /// @dev Return whether the attested limit is near the mark, and the position's limit with the fee part, which is
    /// the most that a filler takes.
    function _isInBands(
        StoredPosition storage position,
        IVault.Purpose purpose,
        uint256 limitPips,
        IVault.GrantAttestation calldata a
    ) private view returns (bool) {
        (uint256 bandBps, uint256 costBps) = _bandsOf(position, purpose);
        uint256 mark = a.markPips;
        bool buys = purpose == IVault.Purpose.Open;
        // A sale above the band is better for the position: a book without asks has bids above its last mark.
        uint256 distance = buys && a.limitPips > mark ? a.limitPips - mark : mark.subtractOrZero(a.limitPips);
        if (distance * BPS > mark * bandBps) return false;
        return
            buys
                ? limitPips * (BPS + a.venueFeeBps) <= mark * (BPS + costBps)
                : limitPips * (BPS - a.venueFeeBps) >= mark * (BPS - costBps);
    }

    /// @dev The largest distance of the limit from the mark, and with the fee part. In a thin book the best bid is
    /// further below the mark than the narrow band, so a user who names a least price may be sold for less than that
    /// band, and never for less.
    function _bandsOf(
        StoredPosition storage position,
        IVault.Purpose purpose
    ) private view returns (uint256 bandBps, uint256 costBps) {
        if (purpose == IVault.Purpose.Unwind) return (GRANT_UNWIND_BAND_BPS, GRANT_UNWIND_COST_BPS);
        bool isPriced = purpose == IVault.Purpose.Close && position.closeMinPricePips != 0;
        if (isPriced || purpose == IVault.Purpose.Liquidate) return (GRANT_WIDE_BAND_BPS, GRANT_WIDE_BAND_BPS);
        return (GRANT_BAND_BPS, GRANT_COST_BPS);
    }

    /// @dev The attested limit or the user's own where that is tighter. What the user's least tokens leave below a pip
    /// is checked at each fill.
    function _limitOf(
        StoredPosition storage position,
        IVault.Purpose purpose,
        uint256 limitPips
    ) private view returns (uint256) {
        if (purpose == IVault.Purpose.Close) return limitPips.max(position.closeMinPricePips);
        uint256 minTokens = position.minPositionTokenUnits;
        if (purpose != IVault.Purpose.Open || minTokens == 0) return limitPips;
        return limitPips.min(UnitMath.multiplyDivideUp(position.notionalUsdcUnits, PIPS, minTokens));
    }

    /// @dev As an opening order, and at the limit the loan leaves the quoted leverage's share of what the tokens are
    /// worth at the mark: between mark and limit the money of the vault would go to the filler.
    function _checkOpening(
        StoredPosition storage position,
        uint256 tokenId,
        PositionContext calldata c,
        uint256 mostUnits,
        uint256 limitPips,
        IVault.GrantAttestation calldata a
    ) private view {
        OpeningRules.checkAmount(position, mostUnits);
        uint256 tokens = (mostUnits * PIPS) / limitPips;
        if (position.principalUsdcUnits != 0) {
            tokens += OutcomeLedger.heldTokenUnits(tokenId, c);
        }
        (uint256 allowance, uint256 principal) = OpeningRules.checkHealth(
            position,
            IERC20(c.usdc).balanceOf(c.account),
            tokens,
            mostUnits,
            a.markPips,
            a.venueFeeBps,
            a.exitBufferBps
        );
        // An order is bound by its allowance; what a grant takes beyond it would be the origination fee.
        if (mostUnits * (BPS + a.venueFeeBps) > allowance * BPS) revert IVault.VenueFeeTooSmall();
        uint256 leverageBps = position.leverageBps;
        if (principal * PIPS * leverageBps > tokens * a.markPips * (leverageBps - OPENING_EQUITY_BPS)) {
            revert IVault.LeverageAboveQuoted();
        }
    }

    /// @dev As a sale order; the fee part is all that leaves the limit, so cover needs no other fee.
    function _checkSale(
        StoredPosition storage position,
        IVault.Purpose purpose,
        uint256 mostUnits,
        uint256 limitPips,
        IVault.GrantAttestation calldata a
    ) private view returns (bool covered) {
        (uint256 tokens, bool part) = SaleRules.checkAmount(position, mostUnits);
        if (purpose == IVault.Purpose.Liquidate) {
            SaleRules.checkLiquidatable(position, a.markPips);
            return true;
        }
        return
            SaleRules.checkDue(
                position,
                purpose,
                part ? tokens : mostUnits,
                mostUnits,
                limitPips,
                a.triggerPips,
                a.venueFeeBps,
                a.venueFeeBps
            );
    }

    function _checkUndecided(StoredOutcome storage outcome, PositionContext calldata c) private view {
        if (!OutcomeLedger.isUndecided(outcome, c)) revert IVault.OutcomeDecided();
    }

    /// @dev Return whether a purchase brings the user's least tokens for its share of the notional.
    function _isUsersPrice(StoredPosition storage position, GrantMath.Part memory part) private view returns (bool) {
        return part.givenUnits * position.notionalUsdcUnits >= part.makerUnits * position.minPositionTokenUnits;
    }

    /// @dev A fill takes all that is left, or at least a fifth of the grant and 5 tokens, and leaves no position that
    /// is too small for a sale of its own. The first purchase of a position is the user's least; a sale below the debt
    /// is whole.
    function _isPartAllowed(
        StoredPosition storage position,
        StoredGrant memory g,
        bool buys,
        GrantMath.Part memory part
    ) private view returns (bool) {
        uint256 tokens = buys ? part.givenUnits : part.takenUnits;
        if (buys && position.filledUsdcUnits + g.filledUnits == 0) {
            return tokens >= MIN_ORDER_TOKEN_UNITS && OpeningRules.isFirstEnough(position, part.makerUnits);
        }
        uint256 size = position.orderMakerAmount;
        if (part.makerUnits == size - g.filledUnits) return true;
        if (g.isWhole || tokens < MIN_ORDER_TOKEN_UNITS || part.makerUnits * MIN_FILL_DIVISOR < size) return false;
        if (buys) return true;
        uint256 rest = position.tokenUnits - g.filledUnits - part.makerUnits;
        return rest < DUST_TOKEN_UNITS || rest >= MIN_ORDER_TOKEN_UNITS;
    }

    // ---------------------------------------------------------------- money and tokens

    /// @dev From the caller alone: another who approved the vault is never pulled from. The code of the PositionManager
    /// can change, so what it says it moved is measured.
    function _pull(PositionContext calldata c, uint256 tokenId, bool buys, uint256 units) private {
        if (!buys) return IERC20(c.usdc).safeTransferFrom(msg.sender, c.account, units);
        address tokens = OutcomeLedger.tokensOf(tokenId, c);
        bool isMeasured = OutcomeLedger.isManaged(tokenId);
        uint256 held = isMeasured ? OutcomeLedger.heldTokenUnits(tokenId, c) : 0;
        IERC1155(tokens).safeTransferFrom(msg.sender, c.account, tokenId, units, "");
        if (isMeasured && OutcomeLedger.heldTokenUnits(tokenId, c) < held + units) revert IVault.TokensNotDelivered();
    }

    function _pay(PositionContext calldata c, uint256 tokenId, bool buys, uint256 units) private {
        if (buys) IPositionAccount(c.account).sendUsdc(msg.sender, units, address(0), 0);
        else IPositionAccount(c.account).sendTokens(OutcomeLedger.tokensOf(tokenId, c), msg.sender, tokenId, units);
    }
}
