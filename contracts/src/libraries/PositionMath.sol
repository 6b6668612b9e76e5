// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../interfaces/IVault.sol";
import {FeeMath} from "./FeeMath.sol";
import {StoredPosition} from "../StoredPosition.sol";
import {BPS} from "../VaultConstants.sol";
import {LiquidationMath} from "./LiquidationMath.sol";
import {OpeningSplit} from "./OpeningSplit.sol";

/// @title PositionMath
/// @notice Debt and liquidation price of a stored position now; its words read as figures.
library PositionMath {
    /// @dev Pending fees plus those accrued on the principal since its last change, ceil.
    function lifetimeFees(StoredPosition storage position) internal view returns (uint256) {
        if (position.state != IVault.PositionState.Open) return 0;
        uint256 elapsed = block.timestamp - position.since;
        uint256 accrued = FeeMath.lifetimeFee(position.principalUsdcUnits, position.lifetimeFeeAprBps, elapsed);
        return position.pendingFeeUsdcUnits + accrued;
    }

    /// @dev The principal, or of an ended position the bad debt it left.
    function principal(StoredPosition storage position) internal view returns (uint256) {
        return uint256(position.principalUsdcUnits) + position.badDebtUsdcUnits;
    }

    /// @dev Value in USDC units under which the position may be liquidated; 0 without principal or unless Open.
    function threshold(StoredPosition storage position) internal view returns (uint256) {
        uint256 owed = principal(position);
        if (owed == 0 || position.state != IVault.PositionState.Open) return 0;
        return
            LiquidationMath.threshold(
                owed + lifetimeFees(position),
                position.liquidationFeeBps,
                position.exitBufferBps
            );
    }

    /// @dev The liquidation price in pips, floor; 0 without principal or tokens.
    function liquidationPrice(StoredPosition storage position) internal view returns (uint256) {
        return LiquidationMath.price(threshold(position), position.tokenUnits);
    }

    /// @dev The user's own part of the notional, exactly: the quote's notional is collateral × leverage to the unit.
    function collateral(StoredPosition storage position) internal view returns (uint256) {
        uint256 leverageBps = position.leverageBps;
        return leverageBps == 0 ? 0 : (position.notionalUsdcUnits * BPS) / leverageBps;
    }

    /// @dev The quoted figures of an opening; cash and fill are filled in by the caller.
    function openingOf(
        StoredPosition storage position
    ) internal view returns (OpeningSplit.Opening memory opening) {
        opening.collateralUsdcUnits = collateral(position);
        opening.notionalUsdcUnits = position.notionalUsdcUnits;
        opening.venueFeeUsdcUnits = position.venueFeeUsdcUnits;
        opening.originationFeeUsdcUnits = FeeMath.originationFee(
            position.notionalUsdcUnits,
            position.originationFeeBps
        );
        opening.lentUsdcUnits = opening.notionalUsdcUnits - opening.collateralUsdcUnits;
    }

    /// @dev A request that is served or withdrawn keeps no price either, which leaves its word empty again.
    function setCloseRequest(StoredPosition storage position, uint256 tokenUnits, uint256 minPricePips) internal {
        position.closeTokenUnits = uint48(tokenUnits);
        position.closeMinPricePips = tokenUnits == 0 ? 0 : uint16(minPricePips);
    }

    /// @dev The stored words in the interface's fields.
    function toView(StoredPosition storage stored) internal view returns (IVault.Position memory position) {
        position.user = stored.user;
        position.state = stored.state;
        position.outcomeId = stored.outcomeId;
        position.originationFeeBps = stored.originationFeeBps;
        position.lifetimeFeeAprBps = stored.lifetimeFeeAprBps;
        position.liquidationFeeBps = stored.liquidationFeeBps;
        position.maxLiquidationPricePips = stored.maxLiquidationPricePips;
        position.minFillBps = stored.minFillBps;
        position.exitBufferBps = stored.exitBufferBps;
        position.closeMinPricePips = stored.closeMinPricePips;
        position.cancelRequested = stored.cancelRequested;
        position.since = stored.since;
        position.createdAt = stored.createdAt;
        position.collateralUsdcUnits = uint64(collateral(stored));
        position.notionalUsdcUnits = stored.notionalUsdcUnits;
        position.venueFeeUsdcUnits = stored.venueFeeUsdcUnits;
        position.principalUsdcUnits = stored.principalUsdcUnits;
        position.pendingFeeUsdcUnits = stored.pendingFeeUsdcUnits;
        position.badDebtUsdcUnits = stored.badDebtUsdcUnits;
        position.filledUsdcUnits = stored.filledUsdcUnits;
        position.minPositionTokenUnits = stored.minPositionTokenUnits;
        position.originalTokenUnits = stored.originalTokenUnits;
        position.tokenUnits = stored.tokenUnits;
        position.closeTokenUnits = stored.closeTokenUnits;
    }
}
