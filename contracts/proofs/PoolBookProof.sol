// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../src/interfaces/ILiquidityPool.sol";
import {PoolBook} from "../src/libraries/PoolBook.sol";

/// @title PoolBookProof
/// @notice I2: every loan and every booking moves the book by exactly the USDC that leaves and arrives, and a loan
/// within freeLiquidity passes no limit.
contract PoolBookProof {
    function lendingConserves(PoolBook.Figures memory f, uint256 usdcUnits) external pure {
        require(f.idle <= type(uint64).max && f.lent <= type(uint64).max && usdcUnits <= f.idle);
        uint256 idle = f.idle;
        uint256 lent = f.lent;
        uint256 reserve = f.reserve;
        uint256 owed = f.treasuryOwed;
        f = PoolBook.lend(f, usdcUnits);
        assert(f.lent == lent + usdcUnits);
        assert(f.idle + usdcUnits == idle);
        assert(f.reserve == reserve && f.treasuryOwed == owed);
    }

    function freeLiquidityKeepsEveryLimit(
        PoolBook.Figures memory f,
        ILiquidityPool.Parameters memory p,
        uint256 requested
    ) external pure {
        require(f.idle <= type(uint64).max && f.lent <= type(uint64).max && requested <= type(uint128).max);
        require(p.utilisationBps <= 10_000);
        uint256 free = PoolBook.freeLiquidity(f, p, requested);
        assert(free == 0 || free + requested <= f.idle);
        assert(free == 0 || f.lent + free <= p.totalCapUsdcUnits);
        assert(free == 0 || (f.lent + free) * 10_000 <= (f.idle + f.lent) * p.utilisationBps);
    }

    function bookingConserves(
        PoolBook.Figures memory f,
        ILiquidityPool.Parameters memory p,
        ILiquidityPool.Booking memory b
    ) external pure {
        require(f.idle <= type(uint64).max && f.lent <= type(uint64).max);
        require(f.reserve <= type(uint64).max && f.treasuryOwed <= type(uint64).max);
        require(b.principalUsdcUnits <= type(uint64).max && b.badDebtUsdcUnits <= type(uint64).max);
        require(b.lifetimeFeeUsdcUnits <= type(uint64).max && b.liquidationFeeUsdcUnits <= type(uint64).max);
        require(b.originationFeeUsdcUnits <= type(uint64).max && b.recoveredUsdcUnits <= type(uint64).max);
        require(p.protocolCutBps <= 5_000 && p.originationReserveBps <= 10_000 && p.reserveTargetBps <= 5_000);
        require(b.principalUsdcUnits + b.badDebtUsdcUnits <= f.lent);
        uint256 booked = f.idle + f.reserve + f.treasuryOwed;
        uint256 lent = f.lent;
        uint256 received = b.principalUsdcUnits + b.lifetimeFeeUsdcUnits + b.liquidationFeeUsdcUnits;
        received += b.originationFeeUsdcUnits + b.recoveredUsdcUnits;
        f = PoolBook.book(f, p, b);
        assert(f.idle + f.reserve + f.treasuryOwed == booked + received);
        assert(f.lent + b.principalUsdcUnits + b.badDebtUsdcUnits == lent);
    }
}
