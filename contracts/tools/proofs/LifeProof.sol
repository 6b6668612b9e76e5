// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {OpeningSplit} from "../../src/libraries/OpeningSplit.sol";
import {UnitMath} from "../../src/libraries/UnitMath.sol";
import {Waterfall} from "../../src/libraries/Waterfall.sol";

/// @title LifeProof
/// @notice I1, I2: a whole life conserves, by induction. Each step of the vault keeps, from whatever figures it begins
/// with: the pool's loans are this principal and the other positions'; what was lent is repaid, owed or lost; account
/// and pool together change by what the step pays or receives, to the unit. A life begins with nothing lent, so all of
/// it holds after any number of steps in any order.
/// @dev Each step does what Settlement does. Of the libraries it takes what their own proofs say: a booking is
/// PoolBookProof's, the division of an opening OpeningSplitProof's, that of a sale WaterfallProof's. With their code
/// inside, a step is more than the solver takes at once. Between two steps the venue, and anyone who donates,
/// moves the account's cash at will: no step assumes anything of it but a bound.
contract LifeProof {
    using UnitMath for uint256;

    /// @notice One position and the pool, in USDC units.
    struct Life {
        // In the pool: idle, reserve and what is owed to the treasury.
        uint256 pool;
        uint256 loans;
        uint256 loansOfOthers;
        // In the position's account.
        uint256 account;
        // Owed now.
        uint256 principal;
        // Of all loans of this life.
        uint256 lent;
        uint256 repaid;
        uint256 lost;
    }

    /// @notice The first opening order borrows.
    function borrowing(Life memory l, uint256 usdcUnits) external pure {
        begin(l);
        require(l.principal == 0 && usdcUnits <= l.pool);
        uint256 before = l.account + l.pool;
        l.pool -= usdcUnits;
        l.loans += usdcUnits;
        l.account += usdcUnits;
        l.principal = usdcUnits;
        l.lent += usdcUnits;
        assert(l.account + l.pool == before);
        assertKept(l);
    }

    /// @notice A fill opens the position; what it did not use goes back to pool and user.
    /// @param s divides the account as OpeningSplitProof proves that OpeningSplit does
    function opening(Life memory l, OpeningSplit.Split memory s) external pure {
        begin(l);
        require(s.principalUsdcUnits <= l.principal && s.poolUsdcUnits == l.principal - s.principalUsdcUnits);
        require(s.originationFeeUsdcUnits <= l.account && s.userUsdcUnits <= l.account);
        require(s.poolUsdcUnits + s.originationFeeUsdcUnits + s.userUsdcUnits == l.account);
        uint256 before = l.account + l.pool;
        ILiquidityPool.Booking memory b;
        b.principalUsdcUnits = s.poolUsdcUnits;
        b.originationFeeUsdcUnits = s.originationFeeUsdcUnits;
        l.account -= s.poolUsdcUnits + s.originationFeeUsdcUnits + s.userUsdcUnits;
        l.principal = s.principalUsdcUnits;
        l = book(l, b);
        assert(l.account == 0);
        assert(l.pool + s.userUsdcUnits == before);
        assertKept(l);
    }

    /// @notice Nothing was bought: the pool's loan goes back first.
    function refunding(Life memory l) external pure {
        begin(l);
        uint256 before = l.account + l.pool;
        ILiquidityPool.Booking memory b;
        b.principalUsdcUnits = l.account.min(l.principal);
        b.badDebtUsdcUnits = l.principal - b.principalUsdcUnits;
        uint256 user = l.account - b.principalUsdcUnits;
        l.account -= b.principalUsdcUnits + user;
        l.principal = 0;
        l = book(l, b);
        assert(l.account == 0);
        assert(l.pool + user == before);
        assertKept(l);
    }

    /// @notice A sale is booked, in part or whole: unwind, close, liquidation; or the payout of a settled market.
    /// @param d divides the account by any share of the debt, as WaterfallProof proves that Waterfall does: a close
    /// of a part owes its part, everything else the whole
    function selling(Life memory l, Waterfall.Distribution memory d, bool finished) external pure {
        begin(l);
        require(d.lifetimeFeeUsdcUnits <= l.account && d.liquidationFeeUsdcUnits <= l.account);
        require(d.principalUsdcUnits <= l.principal && d.userUsdcUnits <= l.account);
        uint256 paid = d.principalUsdcUnits + d.lifetimeFeeUsdcUnits + d.liquidationFeeUsdcUnits;
        require(paid + d.userUsdcUnits == l.account);
        uint256 before = l.account + l.pool;
        ILiquidityPool.Booking memory b = bookingOf(d);
        l.principal -= b.principalUsdcUnits;
        if (finished) {
            b.badDebtUsdcUnits = l.principal;
            l.principal = 0;
        }
        l.account -= paid + d.userUsdcUnits;
        l = book(l, b);
        assert(l.account == 0);
        assert(l.pool + d.userUsdcUnits == before);
        assertKept(l);
    }

    /// @notice The owner repays from outside: margin, or all that is owed before the tokens leave.
    function repaying(Life memory l, uint256 fees, uint256 usdcUnits) external pure {
        begin(l);
        require(fees <= type(uint64).max && usdcUnits <= type(uint64).max);
        uint256 before = l.account + l.pool;
        Waterfall.Due memory due;
        due.cashUsdcUnits = usdcUnits;
        due.principalUsdcUnits = l.principal;
        due.lifetimeFeeUsdcUnits = fees;
        bool all = usdcUnits >= l.principal + fees;
        Waterfall.Distribution memory d = Waterfall.distribute(due);
        ILiquidityPool.Booking memory b = bookingOf(d);
        l.principal -= b.principalUsdcUnits;
        l = book(l, b);
        assert(l.account + l.pool == before + usdcUnits - d.userUsdcUnits);
        assert(!all || (l.principal == 0 && d.lifetimeFeeUsdcUnits == fees));
        assertKept(l);
    }

    /// @notice Money that came after the end: bad debt is recovered first, the rest is the owner's.
    function claiming(Life memory l, uint256 badDebt) external pure {
        begin(l);
        require(badDebt <= l.lost);
        uint256 before = l.account + l.pool;
        ILiquidityPool.Booking memory b;
        b.recoveredUsdcUnits = l.account.min(badDebt);
        uint256 user = l.account - b.recoveredUsdcUnits;
        l.account -= b.recoveredUsdcUnits + user;
        l = book(l, b);
        assert(l.account == 0);
        assert(l.pool + user == before);
        assertKept(l);
    }

    /// @dev Assumptions of every step.
    function begin(Life memory l) private pure {
        require(l.pool <= type(uint64).max && l.account <= type(uint64).max);
        require(l.loansOfOthers <= type(uint64).max && l.principal <= type(uint64).max);
        require(l.repaid <= type(uint64).max && l.lost <= type(uint64).max);
        require(l.loans == l.loansOfOthers + l.principal);
        require(l.lent == l.repaid + l.principal + l.lost);
    }

    function bookingOf(Waterfall.Distribution memory d) private pure returns (ILiquidityPool.Booking memory b) {
        b.principalUsdcUnits = d.principalUsdcUnits;
        b.lifetimeFeeUsdcUnits = d.lifetimeFeeUsdcUnits;
        b.liquidationFeeUsdcUnits = d.liquidationFeeUsdcUnits;
    }

    /// @dev Property that PoolBookProof.bookingConserves proves of PoolBook.book; repaid and lost are this proof's own.
    function book(Life memory l, ILiquidityPool.Booking memory b) private pure returns (Life memory) {
        l.loans -= b.principalUsdcUnits + b.badDebtUsdcUnits;
        l.pool += b.principalUsdcUnits + b.lifetimeFeeUsdcUnits + b.liquidationFeeUsdcUnits;
        l.pool += b.originationFeeUsdcUnits + b.recoveredUsdcUnits;
        l.repaid += b.principalUsdcUnits;
        l.lost += b.badDebtUsdcUnits;
        return l;
    }

    function assertKept(Life memory l) private pure {
        assert(l.loans == l.loansOfOthers + l.principal);
        assert(l.lent == l.repaid + l.principal + l.lost);
    }
}
