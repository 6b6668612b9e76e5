// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BPS} from "../VaultConstants.sol";
import {ILiquidityPool} from "../interfaces/ILiquidityPool.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title PoolBook
/// @notice The pool's internal book as pure arithmetic: idle + lent are the providers' assets, reserve and
/// treasuryOwed stand beside them. Each function keeps `idle + reserve + treasuryOwed` equal to the USDC received,
/// changes the figures in place and returns them.
library PoolBook {
    using UnitMath for uint256;

    /// @notice The book in full words, all in USDC units.
    struct Figures {
        uint256 idle;
        uint256 lent;
        uint256 reserve;
        uint256 treasuryOwed;
    }

    /// @dev min(idle − requested, cap − lent, utilisation × assets − lent), each floored at 0.
    function freeLiquidity(
        Figures memory f,
        ILiquidityPool.Parameters memory p,
        uint256 requestedUsdcUnits
    ) internal pure returns (uint256) {
        uint256 byIdle = f.idle.subtractOrZero(requestedUsdcUnits);
        uint256 byCap = uint256(p.totalCapUsdcUnits).subtractOrZero(f.lent);
        uint256 byUtilisation = (((f.idle + f.lent) * p.utilisationBps) / BPS).subtractOrZero(f.lent);
        return byIdle.min(byCap).min(byUtilisation);
    }

    /// @dev Moves a loan from idle to lent; reverts when idle is short.
    function lend(Figures memory f, uint256 usdcUnits) internal pure returns (Figures memory) {
        f.idle -= usdcUnits;
        f.lent += usdcUnits;
        return f;
    }

    /// @dev Books what a position repaid, paid and lost. Losses fall on the reserve first, then on the share price.
    /// Fees fill the reserve up to its target; fractions go to providers and reserve, not the treasury. Recoveries stay
    /// in the reserve whatever its target: whoever deposits just before one takes nothing of it.
    function book(
        Figures memory f,
        ILiquidityPool.Parameters memory p,
        ILiquidityPool.Booking memory b
    ) internal pure returns (Figures memory) {
        f.lent -= b.principalUsdcUnits + b.badDebtUsdcUnits;
        uint256 covered = f.reserve.min(b.badDebtUsdcUnits);
        f.reserve -= covered;
        uint256 protocolCut = (b.lifetimeFeeUsdcUnits * p.protocolCutBps) / BPS;
        f.treasuryOwed += protocolCut;
        f.idle += b.principalUsdcUnits + covered + b.lifetimeFeeUsdcUnits - protocolCut;

        f.reserve += b.recoveredUsdcUnits;

        uint256 kept = b.liquidationFeeUsdcUnits.min(reserveRoom(f, p));
        f.reserve += kept;
        f.idle += b.liquidationFeeUsdcUnits - kept;

        kept = UnitMath.multiplyDivideUp(b.originationFeeUsdcUnits, p.originationReserveBps, BPS);
        kept = kept.min(reserveRoom(f, p));
        f.reserve += kept;
        f.treasuryOwed += b.originationFeeUsdcUnits - kept;
        return f;
    }

    /// @dev What the reserve lacks to its target.
    function reserveRoom(Figures memory f, ILiquidityPool.Parameters memory p) internal pure returns (uint256) {
        return (((f.idle + f.lent) * p.reserveTargetBps) / BPS).subtractOrZero(f.reserve);
    }
}
