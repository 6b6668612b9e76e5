// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IConditionalTokens} from "./interfaces/IConditionalTokens.sol";
import {IVault} from "./interfaces/IVault.sol";
import {IVenueExchange} from "./interfaces/IVenueExchange.sol";
import {AttestationDigest} from "./libraries/AttestationDigest.sol";
import {OpeningRules} from "./libraries/OpeningRules.sol";
import {OutcomeLedger} from "./libraries/OutcomeLedger.sol";
import {SaleRules} from "./libraries/SaleRules.sol";
import {SignerConsent} from "./libraries/SignerConsent.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {StoredPosition} from "./StoredPosition.sol";
import {
    ATTESTATION_AGE,
    BPS,
    MAX_BAND_BPS,
    MAX_EXIT_BUFFER_BPS,
    MAX_VENUE_FEE_BPS,
    OPEN_ORDER_WINDOW,
    PIPS,
    SALE_ORDER_WINDOW,
    SIDE_BUY,
    SIDE_SELL,
    SIGNATURE_TYPE_ERC1271
} from "./VaultConstants.sol";

/// @title OrderRules
/// @notice Every check between an attestation and an order. A linked library of the vault: it reads the vault's
/// storage and the world, and writes nothing.
library OrderRules {
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
        if (OutcomeLedger.isManaged(context.tokenId)) revert IVault.GrantRequired();
        checkAttestation(context, attestation);
        SignerConsent.check(
            priceSigners,
            context.requiredSignatures,
            AttestationDigest.digest(attestation, address(this)),
            signatures
        );
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
        // An outstanding order without a hash would be a grant.
        if (filled || remaining != 0 || orderHash == 0) revert IVault.OrderUsed(orderHash);
    }

    /// @dev Amount, price, fee budget and health of an opening order; returns the USDC it may pull.
    function checkOpening(
        StoredPosition storage position,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata a
    ) internal view returns (uint256 allowanceUsdcUnits) {
        OpeningRules.checkAmount(position, order.makerAmount);
        if (
            order.makerAmount * PIPS > order.takerAmount * a.limitPips ||
            order.takerAmount * position.notionalUsdcUnits < order.makerAmount * position.minPositionTokenUnits
        ) revert IVault.OrderPriceTooPoor();
        // The venue may change it any day.
        checkFeeRate(IVenueExchange(context.exchange).getMaxFeeRate());
        uint256 tokens = order.takerAmount;
        if (position.principalUsdcUnits != 0) {
            tokens += IConditionalTokens(context.conditionalTokens).balanceOf(context.account, context.tokenId);
        }
        (allowanceUsdcUnits, ) = OpeningRules.checkHealth(
            position,
            IERC20(context.usdc).balanceOf(context.account),
            tokens,
            order.makerAmount,
            a.markPips,
            a.venueFeeBps,
            a.exitBufferBps
        );
    }

    /// @dev Amount, remainder, price, cover and health of a sale.
    function checkSale(
        StoredPosition storage position,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata a
    ) internal view {
        (uint256 tokens, bool part) = SaleRules.checkAmount(position, order.makerAmount);
        if (order.takerAmount * PIPS < order.makerAmount * a.limitPips) revert IVault.OrderPriceTooPoor();
        if (context.purpose == IVault.Purpose.Liquidate) {
            SaleRules.checkLiquidatable(position, a.markPips);
            return;
        }
        SaleRules.checkDue(
            position,
            context.purpose,
            part ? tokens : order.makerAmount,
            order.makerAmount,
            a.limitPips,
            a.triggerPips,
            a.venueFeeBps,
            liveFeeBps(context.exchange, a.venueFeeBps)
        );
        if (context.purpose != IVault.Purpose.Close) return;
        if (order.takerAmount * PIPS < order.makerAmount * position.closeMinPricePips) {
            revert IVault.OrderPriceTooPoor();
        }
    }

    /// @dev Return the fee that a sale has to cover: the most the venue may take now, when that is more than was
    /// attested. A venue that lifts its limit stops such sales instead of eating them. Without a limit it may take
    /// everything.
    function liveFeeBps(address exchange, uint256 attestedFeeBps) internal view returns (uint256 feeBps) {
        uint256 maximum = IVenueExchange(exchange).getMaxFeeRate();
        if (maximum == 0) return BPS;
        return attestedFeeBps.max(maximum).min(BPS);
    }
}
