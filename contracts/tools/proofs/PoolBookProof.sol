// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {PoolBook} from "../../src/libraries/PoolBook.sol";

/// @title PoolBookProof
/// @notice I2: every loan and every booking moves the book by exactly the USDC that leaves and arrives, and a loan
/// within freeLiquidity passes no limit. V5: the two prices are ordered, and an impaired loss moves none when booked.
contract PoolBookProof {
    function lendingConserves(PoolBook.Figures memory f, uint256 usdcUnits) external pure {
        require(f.idle <= type(uint64).max && f.loans <= type(uint64).max && usdcUnits <= f.idle);
        uint256 idle = f.idle;
        uint256 loans = f.loans;
        uint256 reserve = f.reserve;
        uint256 owed = f.treasuryOwed;
        f = PoolBook.lend(f, usdcUnits);
        assert(f.loans == loans + usdcUnits);
        assert(f.idle + usdcUnits == idle);
        assert(f.reserve == reserve && f.treasuryOwed == owed);
    }

    function freeLiquidityKeepsEveryLimit(
        PoolBook.Figures memory f,
        ILiquidityPool.Parameters memory p,
        uint256 requested
    ) external pure {
        require(f.idle <= type(uint64).max && f.loans <= type(uint64).max && requested <= type(uint128).max);
        require(p.utilisationBps <= 10_000);
        uint256 free = PoolBook.freeLiquidity(f, p, requested);
        assert(free == 0 || free + requested <= f.idle);
        assert(free == 0 || f.loans + free <= p.totalCapUsdcUnits);
        assert(free == 0 || (f.loans + free) * 10_000 <= (f.idle + f.loans) * p.utilisationBps);
    }

    function bookingConserves(
        PoolBook.Figures memory f,
        ILiquidityPool.Parameters memory p,
        ILiquidityPool.Booking memory b
    ) external pure {
        require(f.idle <= type(uint64).max && f.loans <= type(uint64).max);
        require(f.reserve <= type(uint64).max && f.treasuryOwed <= type(uint64).max);
        require(b.principalUsdcUnits <= type(uint64).max && b.badDebtUsdcUnits <= type(uint64).max);
        require(b.lifetimeFeeUsdcUnits <= type(uint64).max && b.liquidationFeeUsdcUnits <= type(uint64).max);
        require(b.originationFeeUsdcUnits <= type(uint64).max && b.recoveredUsdcUnits <= type(uint64).max);
        require(p.protocolCutBps <= 5_000 && p.originationReserveBps <= 10_000 && p.reserveTargetBps <= 5_000);
        require(b.principalUsdcUnits + b.badDebtUsdcUnits <= f.loans);
        uint256 booked = f.idle + f.reserve + f.treasuryOwed;
        uint256 loans = f.loans;
        uint256 received = b.principalUsdcUnits + b.lifetimeFeeUsdcUnits + b.liquidationFeeUsdcUnits;
        received += b.originationFeeUsdcUnits + b.recoveredUsdcUnits;
        uint256 income;
        (f, income) = PoolBook.book(f, p, b);
        assert(f.idle + f.reserve + f.treasuryOwed == booked + received);
        assert(income <= f.idle && income <= received - b.principalUsdcUnits - b.originationFeeUsdcUnits);
        assert(f.loans + b.principalUsdcUnits + b.badDebtUsdcUnits == loans);
    }

    /// @dev V5: entering never costs less than leaving brings, and neither counts more than there is.
    function pricesAreOrdered(
        PoolBook.Figures memory f,
        uint256 impaired,
        uint256 unreleased
    ) external pure {
        require(f.idle <= type(uint64).max && f.loans <= type(uint64).max && f.reserve <= type(uint64).max);
        require(impaired <= f.loans && unreleased <= type(uint64).max);
        uint256 exit = PoolBook.exitAssets(f, impaired, unreleased);
        uint256 entry = PoolBook.entryAssets(f, unreleased);
        assert(exit <= entry);
        assert(entry <= f.idle + f.loans);
    }

    /// @dev V5: a loss costs who leaves when its loan is impaired, and nothing more when it is booked.
    function bookingAnImpairedLossMovesNoPrice(
        PoolBook.Figures memory f,
        ILiquidityPool.Parameters memory p,
        uint256 impaired,
        uint256 lost,
        uint256 unreleased
    ) external pure {
        require(f.idle <= type(uint64).max && f.loans <= type(uint64).max && f.reserve <= type(uint64).max);
        require(f.treasuryOwed <= type(uint64).max && unreleased <= type(uint64).max);
        require(impaired <= f.loans && lost <= impaired);
        ILiquidityPool.Booking memory b;
        b.badDebtUsdcUnits = lost;
        uint256 exit = PoolBook.exitAssets(f, impaired, unreleased);
        uint256 income;
        (f, income) = PoolBook.book(f, p, b);
        assert(income == 0);
        assert(PoolBook.exitAssets(f, impaired - lost, unreleased) == exit);
    }
}
