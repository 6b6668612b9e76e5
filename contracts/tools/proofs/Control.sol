// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {OpeningSplit} from "../../src/libraries/OpeningSplit.sol";
import {PoolBook} from "../../src/libraries/PoolBook.sol";
import {Waterfall} from "../../src/libraries/Waterfall.sol";

/// @title Control
/// @notice False statements, each one unit or one sign away from a proved one. If the checker proves any of them, its
/// proofs say nothing.
/// @dev Figures are fixed where the checker would give up, until it finds its counter-example.
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

    function principalIsNeverTheWholeLoan(uint256 filledUsdcUnits) external pure {
        require(filledUsdcUnits <= 2e6);
        OpeningSplit.Opening memory o;
        o.collateralUsdcUnits = 1e6;
        o.lentUsdcUnits = 1e6;
        o.notionalUsdcUnits = 2e6;
        assert(OpeningSplit.principal(o, filledUsdcUnits, filledUsdcUnits) < o.lentUsdcUnits);
    }

    function aBookingChangesNothing(ILiquidityPool.Booking memory b) external pure {
        require(b.principalUsdcUnits <= 1e6 && b.lifetimeFeeUsdcUnits <= 1e6);
        require(b.badDebtUsdcUnits == 0 && b.liquidationFeeUsdcUnits == 0);
        require(b.originationFeeUsdcUnits == 0 && b.recoveredUsdcUnits == 0);
        PoolBook.Figures memory f;
        f.loans = 1e6;
        ILiquidityPool.Parameters memory p;
        (f, ) = PoolBook.book(f, p, b);
        assert(PoolBook.booked(f) == 0);
    }

    function anImpairedLoanCostsNothing(PoolBook.Figures memory f, uint256 impaired) external pure {
        require(f.idle <= 1e15 && f.loans <= 1e15 && f.reserve <= 1e15 && impaired <= f.loans);
        assert(PoolBook.exitAssets(f, impaired, 0) == PoolBook.entryAssets(f, 0));
    }
}
