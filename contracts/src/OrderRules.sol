// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IConditionalTokens} from "./interfaces/IConditionalTokens.sol";
import {IVault} from "./interfaces/IVault.sol";
import {IVenueExchange} from "./interfaces/IVenueExchange.sol";
import {AttestationDigest} from "./libraries/AttestationDigest.sol";
import {FeeMath} from "./libraries/FeeMath.sol";
import {LiquidationMath} from "./libraries/LiquidationMath.sol";
import {OpeningSplit} from "./libraries/OpeningSplit.sol";
import {PositionMath} from "./libraries/PositionMath.sol";
import {UnitMath} from "./libraries/UnitMath.sol";
import {StoredPosition} from "./StoredPosition.sol";
import {
    ATOMIC_FILL_BPS,
    ATTESTATION_AGE,
    BIRTH_MARK_BPS,
    BPS,
    DUST_TOKEN_UNITS,
    MAX_BAND_BPS,
    MAX_EXIT_BUFFER_BPS,
    MIN_ORDER_TOKEN_UNITS,
    OPEN_ORDER_WINDOW,
    OPEN_WINDOW,
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
    }

    /// @notice Checks an order completely.
    /// @return orderHash the order's hash on the exchange, untouched until now
    /// @return allowanceUsdcUnits the USDC the exchange may pull for it; 0 for sales
    function check(
        StoredPosition storage position,
        mapping(address => bool) storage priceSigners,
        mapping(bytes32 => bool) storage builders,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata attestation,
        bytes calldata signature
    ) external view returns (bytes32 orderHash, uint256 allowanceUsdcUnits) {
        checkAttestation(priceSigners, context, attestation, signature);
        orderHash = checkOrder(builders, context, order);
        if (context.purpose == IVault.Purpose.Open) {
            allowanceUsdcUnits = checkOpening(position, context, order, attestation);
        } else {
            checkSale(position, context.purpose, order, attestation);
        }
    }

    /// @dev Token, purpose, age, prices, band and signature of an attestation.
    function checkAttestation(
        mapping(address => bool) storage priceSigners,
        Context memory context,
        IVault.PriceAttestation calldata a,
        bytes calldata signature
    ) internal view {
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
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(
            AttestationDigest.digest(a, address(this)),
            signature
        );
        if (failure != ECDSA.RecoverError.NoError || !priceSigners[signer]) {
            revert IVault.InvalidAttestationSignature();
        }
    }

    /// @dev Identity, builder, validity and untouched status of an order; its hash is taken from the exchange.
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
            order.makerAmount > type(uint56).max ||
            order.takerAmount > type(uint56).max
        ) revert IVault.OrderAmountOutOfRange();
        orderHash = IVenueExchange(context.exchange).hashOrder(order);
        (bool filled, uint248 remaining) = IVenueExchange(context.exchange).getOrderStatus(orderHash);
        if (filled || remaining != 0) revert IVault.OrderTouched(orderHash);
    }

    /// @dev Amount, price, fee budget and health at birth of an opening order; returns the USDC it may pull.
    function checkOpening(
        StoredPosition storage position,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata a
    ) internal view returns (uint256 allowanceUsdcUnits) {
        if (position.cancelRequested) revert IVault.CancelWasRequested();
        if (block.timestamp > position.since + OPEN_WINDOW) revert IVault.OpenWindowOver();
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
            order.takerAmount * notional < order.makerAmount * position.originalTokenUnits
        ) revert IVault.OrderPriceTooPoor();
        if (uint256(position.venueFeeUsdcUnits) * BPS < order.makerAmount * a.venueFeeBps) {
            revert IVault.VenueFeeTooSmall();
        }
        return checkBirth(position, context, order, a);
    }

    /// @dev The liquidation price if the order is filled wholly at its own limit and the exchange takes every unit it
    /// is allowed must stay at or under the user's maximum and 99 % of the attested mark.
    function checkBirth(
        StoredPosition storage position,
        Context memory context,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata a
    ) internal view returns (uint256 allowanceUsdcUnits) {
        OpeningSplit.Opening memory opening = openingOf(position);
        bool first = position.principalUsdcUnits == 0;
        uint256 cash = IERC20(context.usdc).balanceOf(context.account) + (first ? opening.lentUsdcUnits : 0);
        uint256 tokens = order.takerAmount;
        if (!first) tokens += IConditionalTokens(context.conditionalTokens).balanceOf(context.account, context.tokenId);

        uint256 tradingCash = cash.subtractOrZero(opening.originationFeeUsdcUnits);
        allowanceUsdcUnits = (order.makerAmount + opening.venueFeeUsdcUnits).min(tradingCash);
        uint256 budget = opening.collateralUsdcUnits + opening.venueFeeUsdcUnits + opening.lentUsdcUnits;
        uint256 spent = budget.subtractOrZero(tradingCash) + allowanceUsdcUnits;
        uint256 trade = opening.notionalUsdcUnits.min(position.filledUsdcUnits + order.makerAmount);
        uint256 principal = OpeningSplit.principal(opening, trade, spent);
        uint256 threshold = LiquidationMath.threshold(
            principal,
            position.liquidationFeeBps,
            first ? a.exitBufferBps : position.exitBufferBps
        );
        uint256 price = LiquidationMath.price(threshold, tokens);
        uint256 maximum = UnitMath.min(position.maxLiquidationPricePips, (a.markPips * BIRTH_MARK_BPS) / BPS);
        if (price > maximum) revert IVault.BornUnhealthy(price, maximum);
    }

    /// @dev Amount, remainder, price, cover and health of a sale.
    function checkSale(
        StoredPosition storage position,
        IVault.Purpose purpose,
        IVenueExchange.Order calldata order,
        IVault.PriceAttestation calldata a
    ) internal view {
        uint256 tokens = position.tokenUnits;
        if (order.makerAmount > tokens) revert IVault.OrderAmountOutOfRange();
        uint256 rest = tokens - order.makerAmount;
        bool part = rest >= DUST_TOKEN_UNITS;
        if (part && rest < MIN_ORDER_TOKEN_UNITS) revert IVault.RemainderTooSmall();
        if (order.takerAmount * PIPS < order.makerAmount * a.limitPips) revert IVault.OrderPriceTooPoor();

        if (purpose == IVault.Purpose.Liquidate) {
            uint256 price = position.liquidationPrice();
            if (a.markPips > price) revert IVault.NotLiquidatable(price);
            return;
        }
        uint256 debt = position.principal() + position.lifetimeFees();
        uint256 netLimit = uint256(a.limitPips) * (BPS - a.venueFeeBps);
        // Nobody's wish sells a healthy position below its debt; past the hard exit (trigger 0) everything may go.
        // A rest of dust is never sold, so what is sold has to cover all of the debt.
        bool covered = netLimit * (part ? tokens : order.makerAmount) >= debt * PIPS * BPS;
        bool hardExit = purpose == IVault.Purpose.Unwind && a.triggerPips == 0 && !part;
        if (!covered && !hardExit) revert IVault.SaleBelowDebt();
        if (purpose == IVault.Purpose.Close) {
            if (position.closeTokenUnits == 0) revert IVault.CloseNotRequested();
            if (order.makerAmount > position.closeTokenUnits) revert IVault.OrderAmountOutOfRange();
            if (order.takerAmount * PIPS < order.makerAmount * position.closeMinPricePips) {
                revert IVault.OrderPriceTooPoor();
            }
            return;
        }
        if (debt * PIPS <= tokens * a.triggerPips) revert IVault.NotTriggered();
        if (netLimit == 0) revert IVault.SaleBelowDebt();
        uint256 repaying = UnitMath.multiplyDivideUp(debt, PIPS * BPS, netLimit) + MIN_ORDER_TOKEN_UNITS;
        if (order.makerAmount > repaying) revert IVault.OrderAmountOutOfRange();
    }

    /// @dev The quoted figures of an opening; cash and fill are filled in by the caller.
    function openingOf(
        StoredPosition storage position
    ) internal view returns (OpeningSplit.Opening memory opening) {
        opening.collateralUsdcUnits = position.collateralUsdcUnits;
        opening.notionalUsdcUnits = position.notionalUsdcUnits;
        opening.venueFeeUsdcUnits = position.venueFeeUsdcUnits;
        opening.originationFeeUsdcUnits = FeeMath.originationFee(
            position.notionalUsdcUnits,
            position.originationFeeBps
        );
        opening.lentUsdcUnits = position.notionalUsdcUnits - position.collateralUsdcUnits;
    }
}
