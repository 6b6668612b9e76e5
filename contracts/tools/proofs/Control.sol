// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {OpeningSplit} from "../../src/libraries/OpeningSplit.sol";
import {PoolBook} from "../../src/libraries/PoolBook.sol";
import {Waterfall} from "../../src/libraries/Waterfall.sol";

/// @title Control
/// @notice False statements, each one unit or one sign away from a proved one. If the checker proves any of them, its
/// proofs say nothing.
/// @dev Where the checker would give up, figures are fixed until it finds its counter-example.
contract Control {
    function userBeforeLiquidationFee(Waterfall.Due memory due) external pure {
        require(due.cashUsdcUnits <= 1e15 && due.principalUsdcUnits <= 1e15);
        require(due.lifetimeFeeUsdcUnits <= 1e15 && due.liquidationFeeBps <= 1_000);
        Waterfall.Distribution memory d = Waterfall.distribute(due);
        assert(d.liquidationFeeUsdcUnits == 0 || d.userUsdcUnits != 0);
    }

    function aSaleThatEndsAlwaysRepaysTheLoan(Waterfall.Due memory due) external pure {
        require(due.cashUsdcUnits <= 1e15 && due.principalUsdcUnits <= 1e15);
        require(due.lifetimeFeeUsdcUnits <= 1e15 && due.liquidationFeeBps <= 1_000);
        Waterfall.Distribution memory d = Waterfall.distribute(due);
        assert(d.principalUsdcUnits == due.principalUsdcUnits);
    }

    function principalIsNeverTheWholeLoan(OpeningSplit.Opening memory o) external pure {
        require(o.collateralUsdcUnits == 1e6 && o.lentUsdcUnits == 1e6 && o.notionalUsdcUnits == 2e6);
        require(o.venueFeeUsdcUnits == 0 && o.originationFeeUsdcUnits == 0 && o.cashUsdcUnits <= 2e6);
        require(o.filledUsdcUnits == 2e6 - o.cashUsdcUnits);
        OpeningSplit.Split memory s = OpeningSplit.split(o);
        assert(s.principalUsdcUnits < o.lentUsdcUnits);
    }

    function aBookingChangesNothing(
        PoolBook.Figures memory f,
        ILiquidityPool.Parameters memory p,
        ILiquidityPool.Booking memory b
    ) external pure {
        require(f.idle <= 1e15 && f.loans <= 1e15 && f.reserve <= 1e15 && f.treasuryOwed <= 1e15);
        require(p.protocolCutBps == 0 && p.originationReserveBps == 0 && p.reserveTargetBps == 0);
        require(b.principalUsdcUnits <= f.loans && b.badDebtUsdcUnits <= f.loans - b.principalUsdcUnits);
        require(b.lifetimeFeeUsdcUnits <= 1e15 && b.liquidationFeeUsdcUnits <= 1e15);
        require(b.originationFeeUsdcUnits <= 1e15 && b.recoveredUsdcUnits <= 1e15);
        uint256 booked = f.idle + f.reserve + f.treasuryOwed;
        (f, ) = PoolBook.book(f, p, b);
        assert(f.idle + f.reserve + f.treasuryOwed == booked);
    }

    function anImpairedLoanCostsNothing(PoolBook.Figures memory f, uint256 impaired) external pure {
        require(f.idle <= 1e15 && f.loans <= 1e15 && f.reserve <= 1e15 && impaired <= f.loans);
        assert(PoolBook.exitAssets(f, impaired, 0) == PoolBook.entryAssets(f, 0));
    }
}
