// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice A thousand fills of awkward sizes through the real vault, exchange and tokens, each with its own fee.
contract RefundRoundingTest is VaultFixture {
    /// @dev Payments by receiver, in USDC units.
    struct Sums {
        uint256 trade;
        uint256 venueFees;
        uint256 principal;
        uint256 origination;
        uint256 paid;
    }

    uint256 private constant OPENINGS = 25;
    uint256 private constant ORDERS = 2;
    uint256 private constant FILLS = 20;
    uint32 private constant PRICE_PIPS = 5_003;
    Sums private total;
    uint256 private fills;

    /// @dev Rounding per opening, however often it was filled: the user pays a share of the trade and the origination
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
        uint256 before = originationBooked();
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
        uint256 origination = originationBooked() - before;
        assertEq(paid + principalOf(key), trade + venueFee + origination, "in = out");
        assertBound(r, paid - venueFee, trade);
        total.trade += trade;
        total.venueFees += venueFee;
        total.principal += principalOf(key);
        total.origination += origination;
        total.paid += paid;
    }

    function originationBooked() private view returns (uint256) {
        ILiquidityPool.Book memory b = pool.bookOf();
        return uint256(b.treasuryOwedUsdcUnits) + b.reserveUsdcUnits;
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
