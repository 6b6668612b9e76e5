// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BPS} from "../VaultConstants.sol";
import {ILiquidityPool} from "../interfaces/ILiquidityPool.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title PoolBook
/// @notice The pool's internal book as pure arithmetic: idle + loans are the providers', reserve and treasuryOwed stand
/// beside them. Each function keeps `idle + reserve + treasuryOwed` equal to the USDC received, changes the figures in
/// place and returns them.
library PoolBook {
    using UnitMath for uint256;

    /// @notice The book in full words, all in USDC units. Loans count until they are repaid or lost, impaired or not;
    /// idle is all that is here of the providers', released to the share price or not.
    struct Figures {
        uint256 idle;
        uint256 loans;
        uint256 reserve;
        uint256 treasuryOwed;
    }

    /// @dev Return the pool's USDC by the book.
    function booked(Figures memory f) internal pure returns (uint256) {
        return f.idle + f.reserve + f.treasuryOwed;
    }

    /// @dev min(idle − requested, cap − loans, utilisation × (idle + loans) − loans), each floored at 0.
    function freeLiquidity(
        Figures memory f,
        ILiquidityPool.Parameters memory p,
        uint256 requestedUsdcUnits
    ) internal pure returns (uint256) {
        uint256 byIdle = f.idle.subtractOrZero(requestedUsdcUnits);
        uint256 byCap = uint256(p.totalCapUsdcUnits).subtractOrZero(f.loans);
        uint256 byUtilisation = (((f.idle + f.loans) * p.utilisationBps) / BPS).subtractOrZero(f.loans);
        return byIdle.min(byCap).min(byUtilisation);
    }

    /// @dev Return the worth of all shares when leaving: of impaired loans only what the reserve would bear, and no
    /// income that is not released yet. So a loss costs the moment its loan is impaired, and nothing more when it is
    /// booked.
    function exitAssets(
        Figures memory f,
        uint256 impairedUsdcUnits,
        uint256 unreleasedUsdcUnits
    ) internal pure returns (uint256) {
        uint256 borne = f.reserve.min(impairedUsdcUnits);
        return (f.idle + f.loans - impairedUsdcUnits + borne).subtractOrZero(unreleasedUsdcUnits);
    }

    /// @dev Return the price of all shares when entering: impaired loans count in full.
    function entryAssets(Figures memory f, uint256 unreleasedUsdcUnits) internal pure returns (uint256) {
        return (f.idle + f.loans).subtractOrZero(unreleasedUsdcUnits);
    }

    /// @dev Moves a loan from idle to loans; reverts when idle is short.
    function lend(Figures memory f, uint256 usdcUnits) internal pure returns (Figures memory) {
        f.idle -= usdcUnits;
        f.loans += usdcUnits;
        return f;
    }

    /// @dev Books what a position repaid, paid and lost. Losses fall on the reserve first, then on the share price.
    /// Liquidation fees and recoveries fill the reserve up to its target; fractions go to providers and reserve, not
    /// the treasury. Of what went to idle, income is what the providers earned: it is released to their shares later.
    function book(
        Figures memory f,
        ILiquidityPool.Parameters memory p,
        ILiquidityPool.Booking memory b
    ) internal pure returns (Figures memory, uint256 incomeUsdcUnits) {
        f.loans -= b.principalUsdcUnits + b.badDebtUsdcUnits;
        uint256 covered = f.reserve.min(b.badDebtUsdcUnits);
        f.reserve -= covered;
        uint256 protocolCut = (b.lifetimeFeeUsdcUnits * p.protocolCutBps) / BPS;
        f.treasuryOwed += protocolCut;
        incomeUsdcUnits = b.lifetimeFeeUsdcUnits - protocolCut;
        f.idle += b.principalUsdcUnits + covered + incomeUsdcUnits;

        uint256 arrived = b.liquidationFeeUsdcUnits + b.recoveredUsdcUnits;
        uint256 kept = arrived.min(reserveRoom(f, p));
        f.reserve += kept;
        f.idle += arrived - kept;
        incomeUsdcUnits += arrived - kept;

        kept = UnitMath.multiplyDivideUp(b.originationFeeUsdcUnits, p.originationReserveBps, BPS);
        kept = kept.min(reserveRoom(f, p));
        f.reserve += kept;
        f.treasuryOwed += b.originationFeeUsdcUnits - kept;
        return (f, incomeUsdcUnits);
    }

    /// @dev Return what the reserve lacks to its target.
    function reserveRoom(Figures memory f, ILiquidityPool.Parameters memory p) internal pure returns (uint256) {
        return (((f.idle + f.loans) * p.reserveTargetBps) / BPS).subtractOrZero(f.reserve);
    }
}
