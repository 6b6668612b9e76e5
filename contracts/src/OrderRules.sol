// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IConditionalTokens} from "./interfaces/IConditionalTokens.sol";
import {IVault} from "./interfaces/IVault.sol";
import {IVenueExchange} from "./interfaces/IVenueExchange.sol";
import {AttestationDigest} from "./libraries/AttestationDigest.sol";
import {LiquidationMath} from "./libraries/LiquidationMath.sol";
import {OpeningSplit} from "./libraries/OpeningSplit.sol";
import {PositionMath} from "./libraries/PositionMath.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {StoredPosition} from "./StoredPosition.sol";
import {
    ATOMIC_FILL_BPS,
    ATTESTATION_AGE,
    OPENING_MARK_BPS,
    BPS,
    DUST_TOKEN_UNITS,
    MAX_BAND_BPS,
    MAX_EXIT_BUFFER_BPS,
    MAX_VENUE_FEE_BPS,
    MIN_ORDER_TOKEN_UNITS,
    OPEN_ORDER_WINDOW,
    OPEN_WINDOW,
    PIPS,
    SALE_ORDER_WINDOW,
    SIDE_BUY,
    SIDE_SELL,
    SIGNATURE_BYTES,
    SIGNATURE_TYPE_ERC1271
} from "./VaultConstants.sol";

/// @title OrderRules
/// @notice Every check between an attestation and an order. A linked library of the vault: it reads the vault's
/// storage and the world, and writes nothing.
library OrderRules {
    using PositionMath for StoredPosition;
    using UnitMath for uint256;

    /// @notice The facts of the position an order is checked against.
    struct Context {
        address account;
        address exchange;
        address usdc;
        address conditionalTokens;
        bytes32 conditionId;
        uint256 tokenId;
        IVault.Purpose purpose;
        uint256 validUntil;
        uint256 requiredSignatures;
    }

    /// @notice Checks an order completely.
    /// @return orderHash the order's hash on the exchange, unused until now
    /// @return allowanceUsdcUnits the USDC the exchange may pull for it; 0 for sales
    function check(
        StoredPosition storage position,
        mapping(address => bool) storage priceSigners,
        mapping(bytes32 => bool) storage builders,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata attestation,
        bytes calldata signatures
    ) external view returns (bytes32 orderHash, uint256 allowanceUsdcUnits) {
        checkAttestation(context, attestation);
        checkSignatures(priceSigners, context.requiredSignatures, attestation, signatures);
        orderHash = checkOrder(builders, context, order);
        if (context.purpose == IVault.Purpose.Open) {
            allowanceUsdcUnits = checkOpening(position, context, order, attestation);
        } else {
            checkSale(position, context, order, attestation);
        }
    }

    /// @dev The exchange's highest fee as the vault takes it: 0 would mean that there is none.
    function checkFeeRate(uint256 feeRateBps) internal pure {
        if (feeRateBps == 0 || feeRateBps > MAX_VENUE_FEE_BPS) revert IVault.VenueFeeRateOutOfRange(feeRateBps);
    }

    /// @dev Token, purpose, age, prices and band of an attestation.
    function checkAttestation(Context memory context, IVault.PriceAttestation calldata a) internal view {
        if (
            a.marketId != context.conditionId ||
            a.tokenId != context.tokenId ||
            a.purpose != uint8(context.purpose)
        ) revert IVault.AttestationMismatch();
        if (a.observedAt > block.timestamp || block.timestamp - a.observedAt > ATTESTATION_AGE) {
            revert IVault.AttestationStale();
        }
        if (a.exitBufferBps > MAX_EXIT_BUFFER_BPS) revert IVault.AttestationBufferTooHigh();
        if (a.markPips == 0 || a.markPips > PIPS || a.limitPips == 0 || a.limitPips > PIPS || a.venueFeeBps > BPS) {
            revert IVault.AttestationPriceOutOfRange();
        }
        if (context.purpose != IVault.Purpose.Liquidate) {
            uint256 distance = a.limitPips > a.markPips ? a.limitPips - a.markPips : a.markPips - a.limitPips;
            if (distance * BPS > uint256(a.markPips) * MAX_BAND_BPS) revert IVault.AttestationPriceOutOfRange();
        }
    }

    /// @dev As many signatures over the one digest as are required, each of another price signer: ascending addresses
    /// leave no signer to be counted twice.
    function checkSignatures(
        mapping(address => bool) storage priceSigners,
        uint256 required,
        IVault.PriceAttestation calldata a,
        bytes calldata signatures
    ) internal view {
        if (signatures.length != required * SIGNATURE_BYTES) revert IVault.SignaturesRequired(required);
        bytes32 digest = AttestationDigest.digest(a, address(this));
        address last;
        for (uint256 i = 0; i < signatures.length; i += SIGNATURE_BYTES) {
            (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(
                digest,
                signatures[i:i + SIGNATURE_BYTES]
            );
            if (failure != ECDSA.RecoverError.NoError || signer <= last || !priceSigners[signer]) {
                revert IVault.InvalidAttestationSignature();
            }
            last = signer;
        }
    }

    /// @dev Identity, builder, validity and unused status of an order; its hash is taken from the exchange.
    function checkOrder(
        mapping(bytes32 => bool) storage builders,
        Context memory context,
        IVenueExchange.Order calldata order
    ) internal view returns (bytes32 orderHash) {
        bool buys = context.purpose == IVault.Purpose.Open;
        if (
            order.maker != context.account ||
            order.signer != context.account ||
            order.tokenId != context.tokenId ||
            order.side != (buys ? SIDE_BUY : SIDE_SELL) ||
            order.signatureType != SIGNATURE_TYPE_ERC1271
        ) revert IVault.OrderMismatch();
        if (order.builder != bytes32(0) && !builders[order.builder]) revert IVault.BuilderNotAllowed(order.builder);
        uint256 window = buys ? OPEN_ORDER_WINDOW : SALE_ORDER_WINDOW;
        if (context.validUntil < block.timestamp || context.validUntil > block.timestamp + window) {
            revert IVault.OrderValidityOutOfRange();
        }
        if (
            order.makerAmount == 0 ||
            order.takerAmount == 0 ||
            order.makerAmount > type(uint48).max ||
            order.takerAmount > type(uint48).max
        ) revert IVault.OrderAmountOutOfRange();
        orderHash = IVenueExchange(context.exchange).hashOrder(order);
        (bool filled, uint248 remaining) = IVenueExchange(context.exchange).getOrderStatus(orderHash);
        if (filled || remaining != 0) revert IVault.OrderUsed(orderHash);
    }

    /// @dev Amount, price, fee budget and health of an opening order; returns the USDC it may pull.
    function checkOpening(
        StoredPosition storage position,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata a
    ) internal view returns (uint256 allowanceUsdcUnits) {
        if (position.cancelRequested) revert IVault.CancelWasRequested();
        if (block.timestamp > position.createdAt + OPEN_WINDOW) revert IVault.OpenWindowOver();
        uint256 notional = position.notionalUsdcUnits;
        if (order.makerAmount > notional.subtractOrZero(position.filledUsdcUnits)) {
            revert IVault.OrderAmountOutOfRange();
        }
        if (position.filledUsdcUnits == 0) {
            uint256 floorBps = position.minFillBps == BPS ? ATOMIC_FILL_BPS : position.minFillBps;
            if (order.makerAmount * BPS < notional * floorBps) revert IVault.OrderAmountOutOfRange();
        }
        if (
            order.makerAmount * PIPS > order.takerAmount * a.limitPips ||
            order.takerAmount * notional < order.makerAmount * position.minPositionTokenUnits
        ) revert IVault.OrderPriceTooPoor();
        // The venue may change it any day.
        checkFeeRate(IVenueExchange(context.exchange).getMaxFeeRate());
        return checkHealthAtOpening(position, context, order, a);
    }

    /// @dev One budget for the venue's fees of all opening orders: what was spent beyond the fills is gone from it. The
    /// liquidation price if the order is filled wholly at its own limit and the exchange takes every unit it is allowed
    /// must stay at or under the user's maximum and 99 % of the attested mark.
    function checkHealthAtOpening(
        StoredPosition storage position,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata a
    ) internal view returns (uint256 allowanceUsdcUnits) {
        OpeningSplit.Opening memory opening = position.openingOf();
        bool first = position.principalUsdcUnits == 0;
        opening.filledUsdcUnits = position.filledUsdcUnits;
        opening.cashUsdcUnits = IERC20(context.usdc).balanceOf(context.account) + (first ? opening.lentUsdcUnits : 0);
        uint256 tokens = order.takerAmount;
        if (!first) tokens += IConditionalTokens(context.conditionalTokens).balanceOf(context.account, context.tokenId);

        uint256 feeLeft = OpeningSplit.feeLeft(opening);
        if (feeLeft * BPS < order.makerAmount * a.venueFeeBps) revert IVault.VenueFeeTooSmall();
        uint256 tradingCash = OpeningSplit.tradingCash(opening);
        allowanceUsdcUnits = (order.makerAmount + feeLeft).min(tradingCash);
        uint256 spent = OpeningSplit.spent(opening) + allowanceUsdcUnits;
        uint256 trade = opening.notionalUsdcUnits.min(opening.filledUsdcUnits + order.makerAmount);
        uint256 principal = OpeningSplit.principal(opening, trade, spent);
        uint256 threshold = LiquidationMath.threshold(
            principal,
            position.liquidationFeeBps,
            first ? a.exitBufferBps : position.exitBufferBps
        );
        uint256 price = LiquidationMath.price(threshold, tokens);
        uint256 maximum = UnitMath.min(position.maxLiquidationPricePips, (a.markPips * OPENING_MARK_BPS) / BPS);
        if (price > maximum) revert IVault.UnhealthyAtOpening(price, maximum);
    }

    /// @dev Amount, remainder, price, cover and health of a sale.
    function checkSale(
        StoredPosition storage position,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata a
    ) internal view {
        uint256 tokens = position.tokenUnits;
        if (order.makerAmount > tokens) revert IVault.OrderAmountOutOfRange();
        uint256 rest = tokens - order.makerAmount;
        bool part = rest >= DUST_TOKEN_UNITS;
        if (part && rest < MIN_ORDER_TOKEN_UNITS) revert IVault.RemainderTooSmall();
        if (order.takerAmount * PIPS < order.makerAmount * a.limitPips) revert IVault.OrderPriceTooPoor();

        if (context.purpose == IVault.Purpose.Liquidate) {
            uint256 price = position.liquidationPrice();
            if (a.markPips > price) revert IVault.NotLiquidatable(price);
            return;
        }
        uint256 debt = position.principal() + position.lifetimeFees();
        uint256 feeBps = liveFeeBps(context.exchange, a.venueFeeBps);
        uint256 netLimit = uint256(a.limitPips) * (BPS - feeBps);
        // No request sells a healthy position below its debt; past the hard exit (trigger 0) everything may go.
        // A remainder of dust is never sold, so what is sold has to cover all of the debt.
        bool covered = netLimit * (part ? tokens : order.makerAmount) >= debt * PIPS * BPS;
        bool hardExit = context.purpose == IVault.Purpose.Unwind && a.triggerPips == 0 && !part;
        if (!covered && !hardExit) revert IVault.SaleBelowDebt();
        if (context.purpose == IVault.Purpose.Close) {
            if (position.closeTokenUnits == 0) revert IVault.CloseNotRequested();
            if (order.makerAmount > position.closeTokenUnits) revert IVault.OrderAmountOutOfRange();
            if (order.takerAmount * PIPS < order.makerAmount * position.closeMinPricePips) {
                revert IVault.OrderPriceTooPoor();
            }
            return;
        }
        if (debt * PIPS <= tokens * a.triggerPips) revert IVault.NotTriggered();
        // How much repays the debt follows from what the sale is likely to bring, not from the least it may.
        uint256 expected = uint256(a.limitPips) * (BPS - a.venueFeeBps);
        if (expected == 0) revert IVault.SaleBelowDebt();
        uint256 repaying = UnitMath.multiplyDivideUp(debt, PIPS * BPS, expected) + MIN_ORDER_TOKEN_UNITS;
        if (order.makerAmount > repaying) revert IVault.OrderAmountOutOfRange();
    }

    /// @dev What a sale has to cover reckons with the most the venue may take now, when that is more than was attested:
    /// a venue that lifts its limit stops such sales instead of eating them. Without a limit it may take everything.
    function liveFeeBps(address exchange, uint256 attestedFeeBps) internal view returns (uint256 feeBps) {
        uint256 maximum = IVenueExchange(exchange).getMaxFeeRate();
        if (maximum == 0) return BPS;
        return attestedFeeBps.max(maximum).min(BPS);
    }
}
