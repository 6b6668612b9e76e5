// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {FeeMath} from "../../../src/libraries/FeeMath.sol";
import {IncomeRelease} from "../../../src/libraries/IncomeRelease.sol";
import {LiquidationMath} from "../../../src/libraries/LiquidationMath.sol";
import {OpeningSplit} from "../../../src/libraries/OpeningSplit.sol";
import {PoolBook} from "../../../src/libraries/PoolBook.sol";
import {UnitMath} from "../../../src/libraries/UnitMath.sol";
import {Waterfall} from "../../../src/libraries/Waterfall.sol";
import {Assertions} from "../../fixtures/Assertions.sol";

/// @notice Laws of the money arithmetic, for every amount the vault can hold.
contract MoneyTest is Assertions {
    using PoolBook for PoolBook.Figures;

    uint256 private constant MAX = 1e14;

    function opening(uint256[6] memory x) private pure returns (OpeningSplit.Opening memory o) {
        o.notionalUsdcUnits = bound(x[0], 1_500_000, MAX);
        o.collateralUsdcUnits = bound(x[1], o.notionalUsdcUnits / 10, (o.notionalUsdcUnits * 2) / 3);
        o.lentUsdcUnits = o.notionalUsdcUnits - o.collateralUsdcUnits;
        o.venueFeeUsdcUnits = bound(x[2], 0, o.notionalUsdcUnits / 10);
        o.originationFeeUsdcUnits = bound(x[3], 0, o.notionalUsdcUnits / 20);
        o.filledUsdcUnits = x[4] % 4 == 0 ? x[4] : bound(x[4], 0, o.notionalUsdcUnits);
        o.cashUsdcUnits = bound(
            x[5],
            0,
            2 * (o.notionalUsdcUnits + o.venueFeeUsdcUnits + o.originationFeeUsdcUnits)
        );
    }

    function testFuzz_I6_split_conserves_every_unit(uint256[6] memory x) public pure {
        OpeningSplit.Opening memory o = opening(x);
        OpeningSplit.Split memory s = OpeningSplit.split(o);
        assertEq(
            s.poolUsdcUnits + s.originationFeeUsdcUnits + s.userUsdcUnits,
            o.cashUsdcUnits,
            "pool + origination + user = cash"
        );
        assertLe(s.principalUsdcUnits, o.lentUsdcUnits, "no more than was lent stays lent");
        assertLe(s.originationFeeUsdcUnits, o.originationFeeUsdcUnits, "origination at most as quoted");
        assertLe(s.tradeUsdcUnits, s.spentUsdcUnits, "trade at most spent");
        if (o.cashUsdcUnits >= o.originationFeeUsdcUnits) {
            assertEq(s.poolUsdcUnits + s.principalUsdcUnits, o.lentUsdcUnits, "the pool is whole");
        }
    }

    function testFuzz_honest_fill_costs_exactly_the_share(uint256[6] memory x, uint256 fee) public pure {
        OpeningSplit.Opening memory o = opening(x);
        o.filledUsdcUnits = bound(x[4], 1, o.notionalUsdcUnits);
        fee = bound(fee, 0, o.venueFeeUsdcUnits);
        uint256 paid = o.notionalUsdcUnits + o.venueFeeUsdcUnits + o.originationFeeUsdcUnits;
        o.cashUsdcUnits = paid - o.filledUsdcUnits - fee;
        OpeningSplit.Split memory s = OpeningSplit.split(o);
        uint256 share = (o.collateralUsdcUnits * o.filledUsdcUnits + o.notionalUsdcUnits - 1) / o.notionalUsdcUnits;
        uint256 cost = paid - o.lentUsdcUnits - s.userUsdcUnits;
        uint256 overrun = fee > o.venueFeeUsdcUnits ? fee - o.venueFeeUsdcUnits : 0;
        if (o.filledUsdcUnits + fee <= o.collateralUsdcUnits + o.venueFeeUsdcUnits + o.filledUsdcUnits - share) {
            assertEq(cost, share + fee + s.originationFeeUsdcUnits + overrun, "share + fee + scaled origination");
        }
    }

    function testFuzz_a_donation_never_hurts_the_user(uint256[6] memory x, uint256 donation) public pure {
        OpeningSplit.Opening memory o = opening(x);
        OpeningSplit.Split memory s = OpeningSplit.split(o);
        o.cashUsdcUnits += bound(donation, 0, MAX);
        OpeningSplit.Split memory t = OpeningSplit.split(o);
        assertLe(t.principalUsdcUnits, s.principalUsdcUnits, "no more debt");
        assertLe(s.poolUsdcUnits, t.poolUsdcUnits, "no less to the pool");
    }

    function testFuzz_F6_the_loan_of_any_fill_is_within_a_unit_of_its_share(uint256[6] memory x) public pure {
        OpeningSplit.Opening memory o = opening(x);
        uint256 filled = bound(x[4], 0, o.notionalUsdcUnits);
        o.filledUsdcUnits = filled;
        o.cashUsdcUnits = o.notionalUsdcUnits + o.originationFeeUsdcUnits + o.venueFeeUsdcUnits - filled;
        OpeningSplit.Split memory s = OpeningSplit.split(o);
        uint256 exactTimesNotional = o.lentUsdcUnits * filled;
        assertLe(s.principalUsdcUnits * o.notionalUsdcUnits, exactTimesNotional, "not above");
        assertGe((s.principalUsdcUnits + 1) * o.notionalUsdcUnits, exactTimesNotional, "not a unit below");
    }

    function testFuzz_I7_waterfall(uint256 cash, uint256 principal, uint256 fees, uint256 bps) public pure {
        Waterfall.Due memory due = Waterfall.Due(
            bound(cash, 0, MAX),
            bound(principal, 0, MAX),
            bound(fees, 0, MAX),
            bound(bps, 0, 1_000)
        );
        Waterfall.Distribution memory d = Waterfall.distribute(due);
        assertEq(
            d.principalUsdcUnits + d.lifetimeFeeUsdcUnits + d.liquidationFeeUsdcUnits + d.userUsdcUnits,
            due.cashUsdcUnits,
            "conserves"
        );
        if (d.userUsdcUnits != 0) {
            assertEq(d.principalUsdcUnits, due.principalUsdcUnits, "the pool is whole before the user");
            assertEq(d.lifetimeFeeUsdcUnits, due.lifetimeFeeUsdcUnits, "fees too");
        }
        if (d.lifetimeFeeUsdcUnits != 0) assertEq(d.principalUsdcUnits, due.principalUsdcUnits, "principal first");
    }

    function testFuzz_I20_lifetime_fee_monotone_and_splittable(
        uint256 principal,
        uint256 apr,
        uint256 a,
        uint256 b
    ) public pure {
        principal = bound(principal, 0, MAX);
        apr = bound(apr, 0, 2_000);
        a = bound(a, 0, 365 days);
        b = bound(b, 0, 365 days);
        uint256 whole = FeeMath.lifetimeFee(principal, apr, a + b);
        uint256 split = FeeMath.lifetimeFee(principal, apr, a) + FeeMath.lifetimeFee(principal, apr, b);
        assertGe(split, whole, "splitting is never cheaper");
        assertLe(split, whole + 1, "and dearer by one unit at most");
        assertGe(whole, FeeMath.lifetimeFee(principal, apr, a), "monotone");
    }

    function testFuzz_F7_splitting_a_position_never_lowers_the_origination_fee(
        uint256 n,
        uint256 part,
        uint256 bps
    ) public pure {
        n = bound(n, 2, MAX);
        part = bound(part, 1, n - 1);
        bps = bound(bps, 0, 500);
        assertGe(
            FeeMath.originationFee(part, bps) + FeeMath.originationFee(n - part, bps),
            FeeMath.originationFee(n, bps),
            "origination"
        );
    }

    function testFuzz_F7_splitting_a_position_never_lowers_the_lifetime_fee(
        uint256 n,
        uint256 part,
        uint256 apr,
        uint256 elapsed
    ) public pure {
        n = bound(n, 2, MAX);
        part = bound(part, 1, n - 1);
        apr = bound(apr, 0, 2_000);
        elapsed = bound(elapsed, 0, 3 * 365 days);
        uint256 whole = FeeMath.lifetimeFee(n, apr, elapsed);
        uint256 split = FeeMath.lifetimeFee(part, apr, elapsed) + FeeMath.lifetimeFee(n - part, apr, elapsed);
        assertGe(split, whole, "splitting is never cheaper");
        assertLe(split, whole + 1, "and dearer by one unit at most");
    }

    /// @dev Each part is sold for enough to pay all that is due: with less, the fee is what is left over.
    function testFuzz_F7_splitting_a_position_never_lowers_the_liquidation_fee(
        uint256 n,
        uint256 part,
        uint256 bps,
        uint256 surplus
    ) public pure {
        n = bound(n, 2, MAX);
        part = bound(part, 1, n - 1);
        bps = bound(bps, 0, 1_000);
        surplus = bound(surplus, 0, MAX);
        uint256 whole = liquidationFee(n, bps, surplus);
        uint256 split = liquidationFee(part, bps, surplus) + liquidationFee(n - part, bps, surplus);
        assertGe(split, whole, "splitting is never cheaper");
        assertLe(split, whole + 1, "and dearer by one unit at most");
    }

    /// @dev Fee of a liquidation that repays a whole principal.
    function liquidationFee(uint256 principal, uint256 bps, uint256 surplus) private pure returns (uint256) {
        uint256 cash = principal + (principal * bps + 9_999) / 10_000 + surplus;
        Waterfall.Distribution memory d = Waterfall.distribute(Waterfall.Due(cash, principal, 0, bps));
        assertEq(d.principalUsdcUnits, principal, "repaid");
        assertGe(d.userUsdcUnits, surplus, "no more than its rate, ceil");
        return d.liquidationFeeUsdcUnits;
    }

    function testFuzz_I17_a_part_close_never_raises_the_liquidation_price(
        uint256 principal,
        uint256 held,
        uint256 sold,
        uint256 bps
    ) public pure {
        principal = bound(principal, 1, MAX);
        held = bound(held, 10_000_000, 1e15);
        sold = bound(sold, 5_000_000, held - 5_000_000);
        bps = bound(bps, 0, 2_500);
        uint256 left = principal - UnitMath.multiplyDivideUp(principal, sold, held);
        uint256 before = LiquidationMath.price(LiquidationMath.threshold(principal, bps, 0), held);
        uint256 later = LiquidationMath.price(LiquidationMath.threshold(left, bps, 0), held - sold);
        assertLe(later, before + (10_000 + held - sold - 1) / (held - sold), "not by more than a unit's rounding");
    }

    function figures(uint256[4] memory x) private pure returns (PoolBook.Figures memory f) {
        return PoolBook.Figures(bound(x[0], 0, MAX), bound(x[1], 0, MAX), bound(x[2], 0, MAX), bound(x[3], 0, MAX));
    }

    function parameters(uint16[4] memory y) private pure returns (ILiquidityPool.Parameters memory p) {
        p.totalCapUsdcUnits = uint64(MAX);
        p.utilisationBps = y[0] % 10_001;
        p.protocolCutBps = y[1] % 5_001;
        p.originationReserveBps = 5_000 + (y[2] % 5_001);
        p.reserveTargetBps = y[3] % 5_001;
    }

    function testFuzz_I2_booking_conserves(
        uint256[4] memory x,
        uint16[4] memory y,
        uint256[6] memory z
    ) public pure {
        PoolBook.Figures memory f = figures(x);
        ILiquidityPool.Booking memory b = ILiquidityPool.Booking({
            principalUsdcUnits: bound(z[0], 0, f.loans),
            lifetimeFeeUsdcUnits: bound(z[1], 0, MAX),
            liquidationFeeUsdcUnits: bound(z[2], 0, MAX),
            originationFeeUsdcUnits: bound(z[3], 0, MAX),
            recoveredUsdcUnits: bound(z[4], 0, MAX),
            badDebtUsdcUnits: 0
        });
        b.badDebtUsdcUnits = bound(z[5], 0, f.loans - b.principalUsdcUnits);
        uint256 held = f.idle + f.reserve + f.treasuryOwed;
        uint256 assets = f.idle + f.loans;
        uint256 loans = f.loans;
        uint256 reserve = f.reserve;
        (, uint256 income) = f.book(parameters(y), b);
        uint256 received = b.principalUsdcUnits +
            b.lifetimeFeeUsdcUnits +
            b.liquidationFeeUsdcUnits +
            b.originationFeeUsdcUnits +
            b.recoveredUsdcUnits;
        assertEq(f.idle + f.reserve + f.treasuryOwed, held + received, "USDC in = USDC booked");
        assertEq(f.loans, loans - b.principalUsdcUnits - b.badDebtUsdcUnits, "loans");
        uint256 loss = b.badDebtUsdcUnits > reserve ? b.badDebtUsdcUnits - reserve : 0;
        assertGe(f.idle + f.loans + loss, assets, "assets fall only by bad debt beyond the reserve");
        assertEq(f.idle + f.loans + loss, assets + income, "and rise only by income");
    }

    function testFuzz_I13_free_liquidity_respects_every_cap(
        uint256[4] memory x,
        uint16[4] memory y,
        uint256 requested,
        uint64 cap
    ) public pure {
        PoolBook.Figures memory f = figures(x);
        ILiquidityPool.Parameters memory p = parameters(y);
        p.totalCapUsdcUnits = cap;
        requested = bound(requested, 0, MAX);
        uint256 free = f.freeLiquidity(p, requested);
        if (free == 0) return;
        uint256 assets = f.idle + f.loans;
        f.lend(free);
        assertGe(f.idle, requested, "requested withdrawals stay covered");
        assertLe(f.loans, cap, "total cap");
        assertLe(f.loans * 10_000, assets * p.utilisationBps, "utilisation");
        assertEq(f.idle + f.loans, assets, "lending changes no assets");
    }

    /// @dev V5: marking a loan is what it costs who leaves; that all of it is lost afterwards costs nothing more.
    function testFuzz_V5_booking_an_impaired_loss_moves_no_price(
        uint256[4] memory x,
        uint16[4] memory y,
        uint256 impaired,
        uint256 lost,
        uint256 unreleased
    ) public pure {
        PoolBook.Figures memory f = figures(x);
        impaired = bound(impaired, 0, f.loans);
        unreleased = bound(unreleased, 0, f.idle);
        ILiquidityPool.Booking memory b;
        b.badDebtUsdcUnits = bound(lost, 0, impaired);
        uint256 exit = f.exitAssets(impaired, unreleased);
        assertLe(exit, f.entryAssets(unreleased), "entering costs what leaving brings, or more");
        f.book(parameters(y), b);
        assertEq(f.exitAssets(impaired - b.badDebtUsdcUnits, unreleased), exit, "no price moves");
    }

    /// @dev V5: what comes back of it makes no one who leaves worse off, nor is it worth more than it is.
    function testFuzz_V5_an_impaired_loan_repaid_is_worth_what_it_is(
        uint256[4] memory x,
        uint16[4] memory y,
        uint256 impaired,
        uint256 repaid
    ) public pure {
        PoolBook.Figures memory f = figures(x);
        impaired = bound(impaired, 0, f.loans);
        ILiquidityPool.Booking memory b;
        b.principalUsdcUnits = bound(repaid, 0, impaired);
        uint256 exit = f.exitAssets(impaired, 0);
        f.book(parameters(y), b);
        uint256 later = f.exitAssets(impaired - b.principalUsdcUnits, 0);
        assertGe(later, exit, "no loss");
        assertLe(later, exit + b.principalUsdcUnits, "and at most what came");
    }

    function test_what_is_not_released_is_rounded_up_to_the_last_unit() public pure {
        IncomeRelease.Income memory income = IncomeRelease.Income({usdcUnits: 1, since: 100, until: 107});
        assertEq(IncomeRelease.unreleased(income, 106), 1, "a seventh of a unit");
        assertEq(IncomeRelease.unreleased(income, 107), 0, "none at the end");
    }

    function test_joined_income_ends_at_the_nearest_second() public pure {
        IncomeRelease.Income memory income = IncomeRelease.Income({usdcUnits: 1, since: 100, until: 107});
        IncomeRelease.Income memory joined = IncomeRelease.add(income, 1, 106);
        assertEq(joined.usdcUnits, 2, "both");
        assertEq(joined.until, 106 + (7 days + 2) / 2, "half of a week and a second, rounded up from the half");
    }
}
