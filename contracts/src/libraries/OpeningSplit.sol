// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BPS, MAX_VENUE_FEE_BPS} from "../VaultConstants.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title OpeningSplit
/// @notice Divides an opening's money between what was spent, the pool and the user. The cash that is there decides;
/// what the exchange reported only splits it, clamped. A donation makes `spent` smaller and blocks nothing.
/// Where report and cash disagree, no one gains by it: the pool lends on what was reported and never on what may be a
/// fee, the user's own money pays before the loan does, and the origination fee is taken of all that was spent.
library OpeningSplit {
    using UnitMath for uint256;

    /// @notice Figures of the account at the end of an opening, in USDC units.
    struct Opening {
        uint256 cashUsdcUnits;
        uint256 collateralUsdcUnits;
        uint256 notionalUsdcUnits;
        uint256 venueFeeUsdcUnits;
        uint256 originationFeeUsdcUnits;
        uint256 lentUsdcUnits;
        uint256 filledUsdcUnits;
    }

    /// @notice The distribution: poolUsdcUnits + originationFeeUsdcUnits + userUsdcUnits = cash.
    struct Split {
        uint256 spentUsdcUnits;
        uint256 tradeUsdcUnits;
        uint256 principalUsdcUnits;
        uint256 poolUsdcUnits;
        uint256 originationFeeUsdcUnits;
        uint256 userUsdcUnits;
    }

    /// @dev An honest fill costs the user exactly the user's share; a fee overrun reduces the refund before the loan.
    function split(Opening memory o) internal pure returns (Split memory) {
        uint256 gone = spent(o);
        uint256 filled = o.filledUsdcUnits.min(gone).min(o.notionalUsdcUnits);
        return divide(o, principal(o, filled, gone), trade(o, filled, gone));
    }

    /// @dev The cash by a loan that continues and a trade that pays the origination fee.
    function divide(
        Opening memory o,
        uint256 principalUsdcUnits,
        uint256 tradeUsdcUnits
    ) internal pure returns (Split memory s) {
        s.spentUsdcUnits = spent(o);
        s.principalUsdcUnits = principalUsdcUnits;
        s.tradeUsdcUnits = tradeUsdcUnits;
        s.poolUsdcUnits = (o.lentUsdcUnits - s.principalUsdcUnits).min(o.cashUsdcUnits);
        uint256 rest = o.cashUsdcUnits - s.poolUsdcUnits;
        s.originationFeeUsdcUnits = UnitMath
            .multiplyDivideUp(o.originationFeeUsdcUnits, s.tradeUsdcUnits, o.notionalUsdcUnits)
            .min(rest);
        s.userUsdcUnits = rest - s.originationFeeUsdcUnits;
    }

    /// @dev Return what counts as spent on tokens: the fill, or all that was spent when that is more than the fill and
    /// the venue's highest fee explain. Then an older order was filled, or the venue took more than it may.
    function trade(
        Opening memory o,
        uint256 filledUsdcUnits,
        uint256 spentUsdcUnits
    ) internal pure returns (uint256) {
        if (spentUsdcUnits * BPS <= filledUsdcUnits * (BPS + MAX_VENUE_FEE_BPS)) return filledUsdcUnits;
        return spentUsdcUnits.min(o.notionalUsdcUnits);
    }

    /// @dev Cash that may be spent on tokens and the venue's fees: all but the origination fee.
    function tradingCash(Opening memory o) internal pure returns (uint256) {
        return o.cashUsdcUnits.subtractOrZero(o.originationFeeUsdcUnits);
    }

    /// @dev max(0, collateral + venue fee + lent − trading cash).
    function spent(Opening memory o) internal pure returns (uint256) {
        return (o.collateralUsdcUnits + o.venueFeeUsdcUnits + o.lentUsdcUnits).subtractOrZero(tradingCash(o));
    }

    /// @dev Return the rest of the venue fee's budget: what was spent beyond the fills is gone from it.
    function feeLeft(Opening memory o) internal pure returns (uint256) {
        return o.venueFeeUsdcUnits.subtractOrZero(spent(o).subtractOrZero(o.filledUsdcUnits));
    }

    /// @dev min(lent, max(fill − ceil(collateral × fill / notional), spent − (collateral + venue fee))).
    function principal(
        Opening memory o,
        uint256 filledUsdcUnits,
        uint256 spentUsdcUnits
    ) internal pure returns (uint256) {
        uint256 share = UnitMath.multiplyDivideUp(o.collateralUsdcUnits, filledUsdcUnits, o.notionalUsdcUnits);
        uint256 overrun = spentUsdcUnits.subtractOrZero(o.collateralUsdcUnits + o.venueFeeUsdcUnits);
        return filledUsdcUnits.subtractOrZero(share).max(overrun).min(o.lentUsdcUnits);
    }
}
