// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {FeeMath} from "../../src/libraries/FeeMath.sol";
import {LiquidationMath} from "../../src/libraries/LiquidationMath.sol";
import {OpeningSplit} from "../../src/libraries/OpeningSplit.sol";
import {PoolBook} from "../../src/libraries/PoolBook.sol";
import {UnitMath} from "../../src/libraries/UnitMath.sol";
import {Waterfall} from "../../src/libraries/Waterfall.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {Assertions} from "./Assertions.sol";
import {VaultFixture} from "./VaultFixture.sol";

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

    function testFuzz_a_donation_never_hurts_the_user(uint256[6] memory x, uint256 gift) public pure {
        OpeningSplit.Opening memory o = opening(x);
        OpeningSplit.Split memory s = OpeningSplit.split(o);
        o.cashUsdcUnits += bound(gift, 0, MAX);
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
        Waterfall.Division memory d = Waterfall.divide(due);
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

    /// @dev What a liquidation that repays all of a principal pays as its fee.
    function liquidationFee(uint256 principal, uint256 bps, uint256 surplus) private pure returns (uint256) {
        uint256 cash = principal + (principal * bps + 9_999) / 10_000 + surplus;
        Waterfall.Division memory d = Waterfall.divide(Waterfall.Due(cash, principal, 0, bps));
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
            principalUsdcUnits: bound(z[0], 0, f.lent),
            lifetimeFeeUsdcUnits: bound(z[1], 0, MAX),
            liquidationFeeUsdcUnits: bound(z[2], 0, MAX),
            originationFeeUsdcUnits: bound(z[3], 0, MAX),
            recoveredUsdcUnits: bound(z[4], 0, MAX),
            badDebtUsdcUnits: 0
        });
        b.badDebtUsdcUnits = bound(z[5], 0, f.lent - b.principalUsdcUnits);
        uint256 held = f.idle + f.reserve + f.treasuryOwed;
        uint256 assets = f.idle + f.lent;
        uint256 lent = f.lent;
        uint256 reserve = f.reserve;
        f.book(parameters(y), b);
        uint256 received = b.principalUsdcUnits +
            b.lifetimeFeeUsdcUnits +
            b.liquidationFeeUsdcUnits +
            b.originationFeeUsdcUnits +
            b.recoveredUsdcUnits;
        assertEq(f.idle + f.reserve + f.treasuryOwed, held + received, "USDC in = USDC booked");
        assertEq(f.lent, lent - b.principalUsdcUnits - b.badDebtUsdcUnits, "lent");
        uint256 loss = b.badDebtUsdcUnits > reserve ? b.badDebtUsdcUnits - reserve : 0;
        assertGe(f.idle + f.lent + loss, assets, "assets fall only by bad debt beyond the reserve");
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
        uint256 assets = f.idle + f.lent;
        f.lend(free);
        assertGe(f.idle, requested, "requested withdrawals stay covered");
        assertLe(f.lent, cap, "total cap");
        assertLe(f.lent * 10_000, assets * p.utilisationBps, "utilisation");
        assertEq(f.idle + f.lent, assets, "lending changes no assets");
    }
}

/// @notice A thousand fills of awkward sizes through the real vault, exchange and tokens, each with its own fee.
contract RefundRoundingTest is VaultFixture {
    uint256 private constant OPENINGS = 25;
    uint256 private constant ORDERS = 2;
    uint256 private constant FILLS = 20;
    uint32 private constant PRICE_PIPS = 5_003;

    /// @dev What went where, in USDC units.
    struct Sums {
        uint256 trade;
        uint256 venueFees;
        uint256 principal;
        uint256 origination;
        uint256 paid;
    }

    Sums private total;
    uint256 private fills;

    /// @dev Rounding per opening, however often it was filled: the user pays his share of the trade and the origination
    /// fee, each rounded up once, so less than two units more than exactly, and never less.
    function test_F6_refund_rounding_over_a_thousand_fills() public {
        uint256 ofAlice = usdc.balanceOf(alice);
        uint256 ofMaker = usdc.balanceOf(maker);
        ILiquidityPool.Book memory before = pool.bookOf();
        bytes32[] memory keys = new bytes32[](OPENINGS);
        for (uint256 i = 0; i < OPENINGS; ++i) keys[i] = openInPieces(i);
        assertEq(fills, 1_000, "fills");
        assertEq(ofAlice - usdc.balanceOf(alice), total.paid, "paid, less refunded");
        assertEq(total.paid + total.principal, total.trade + total.venueFees + total.origination, "in = out");
        assertEq(usdc.balanceOf(maker) - ofMaker, total.trade, "sellers");
        assertEq(usdc.balanceOf(feeReceiver), total.venueFees, "venue");
        assertBook(before, total.principal);

        for (uint256 i = 0; i < OPENINGS; ++i) {
            vm.prank(alice, alice);
            vault.exitByRepaying(keys[i], alice);
        }
        assertBook(before, 0);
        pool.payTreasury();
        uint256 kept = pool.bookOf().reserveUsdcUnits - before.reserveUsdcUnits;
        assertEq(usdc.balanceOf(treasury) + kept, total.origination, "treasury and reserve");
        assertEq(
            ofAlice - usdc.balanceOf(alice),
            total.trade + total.venueFees + total.origination,
            "what the user paid in the end is what all the others have"
        );
        assertSolvent();
    }

    /// @dev The pool's book is exact whatever was rounded: loans out of idle, origination to reserve and treasury.
    function assertBook(ILiquidityPool.Book memory before, uint256 lent) private view {
        ILiquidityPool.Book memory b = pool.bookOf();
        assertEq(b.lentUsdcUnits, lent, "lent");
        assertEq(b.idleUsdcUnits + lent, before.idleUsdcUnits, "idle");
        assertEq(
            b.reserveUsdcUnits + b.treasuryOwedUsdcUnits,
            uint256(before.reserveUsdcUnits) + total.origination,
            "origination"
        );
        (uint256 balance, uint256 booked) = pool.solvency();
        assertEq(balance, booked, "and the pool holds exactly that");
    }

    /// @dev Two orders, each left unfilled in part after twenty fills: both partial fills count for one opening.
    function openInPieces(uint256 i) private returns (bytes32 key) {
        IVault.CreateRequest memory r = awkwardRequest(i);
        uint256 ofAlice = usdc.balanceOf(alice);
        uint256 owed = pool.bookOf().treasuryOwedUsdcUnits;
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        key = create(r, alice);
        uint256 trade;
        uint256 venueFee;
        for (uint256 j = 0; j < ORDERS; ++j) {
            uint256 usdcUnits = (r.notionalUsdcUnits - trade) - (j == 0 ? r.notionalUsdcUnits / 3 : 7 * i + 1);
            uint256 tokenUnits = (usdcUnits * 10_000 + PRICE_PIPS - 1) / PRICE_PIPS;
            IVenueExchange.Order memory o = orderOf(key, 0, usdcUnits, tokenUnits);
            authorize(key, o, attestation(IVault.Purpose.Open, PRICE_PIPS, PRICE_PIPS));
            (uint256 traded, uint256 fee) = fillInPieces(o, i + j);
            trade += traded;
            venueFee += fee;
        }
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(cashOf(key), 0, "nothing stays in the account");

        uint256 paid = ofAlice - usdc.balanceOf(alice);
        uint256 origination = pool.bookOf().treasuryOwedUsdcUnits + pool.bookOf().reserveUsdcUnits - owed - reserve;
        assertEq(paid + principalOf(key), trade + venueFee + origination, "in = out");
        assertBound(r, paid - venueFee, trade);
        total.trade += trade;
        total.venueFees += venueFee;
        total.principal += principalOf(key);
        total.origination += origination;
        total.paid += paid;
    }

    /// @dev Collateral whose share of the trade and whose fee are no whole units, at every leverage there is.
    function awkwardRequest(uint256 i) private view returns (IVault.CreateRequest memory r) {
        uint256 collateral = 10_000 * (1_009 + 331 * i);
        // forge-lint: disable-next-line(unsafe-typecast)
        r = requestOf(bytes16(uint128(i + 1) << 100), collateral, uint32(15_001 + 3_391 * i));
        r.originationFeeBps = 37;
        r.minFillBps = 1;
    }

    function fillInPieces(
        IVenueExchange.Order memory o,
        uint256 salt
    ) private returns (uint256 trade, uint256 venueFees) {
        for (uint256 k = 0; k < FILLS; ++k) {
            uint256 gives = (o.makerAmount * (31 + ((salt + k) % 17))) / 1_000 + k;
            uint256 receives = (gives * o.takerAmount + o.makerAmount - 1) / o.makerAmount;
            uint256 venueFee = (gives * 297) / 10_000 + (k % 3);
            fill(o, gives, receives, venueFee);
            trade += gives;
            venueFees += venueFee;
            ++fills;
        }
    }

    function assertBound(IVault.CreateRequest memory r, uint256 paid, uint256 trade) private pure {
        uint256 fee = (r.notionalUsdcUnits * r.originationFeeBps + 9_999) / 10_000;
        uint256 exactTimesNotional = (r.collateralUsdcUnits + fee) * trade;
        assertGe(paid * r.notionalUsdcUnits, exactTimesNotional, "never less than the exact share");
        uint256 twoMore = exactTimesNotional + 2 * r.notionalUsdcUnits;
        assertLe(paid * r.notionalUsdcUnits, twoMore - 1, "less than two units more");
    }
}
