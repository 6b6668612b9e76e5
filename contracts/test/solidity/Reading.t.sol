// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice What a fourth reading of the contracts asked, with the answers. Limits are in docs/audit/limits.md.
contract ReadingTest is VaultFixture {
    function tenfold(uint128 seed) private view returns (IVault.CreateRequest memory r) {
        r = requestOf(bytes16(seed << 100), 1_000e6, 100_000);
        r.lifetimeFeeAprBps = 0;
    }

    // ------------------------------------------------------------ an exchange that USDC bars

    function test_a_barred_exchange_locks_no_opening_in() public {
        bytes32 key = create(tenfold(1), alice);
        authorizeOpen(key, 5_000);
        usdc.setBlacklisted(address(exchange), true);
        skip(400);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(usdc.balanceOf(alice) - before, 1_500e6, "collateral and both budgets");
        assertEq(cashOf(key), 0, "the account is empty");
        assertSolvent();
    }

    function test_a_barred_exchange_stops_neither_finalize_nor_a_batch_nor_settle() public {
        bytes32 one = create(tenfold(1), alice);
        authorizeOpen(one, 5_000);
        bytes32 two = create(tenfold(2), alice);
        fillWhole(authorizeOpen(two, 5_000), 0);
        bytes32 sale = open(requestOf(bytes16(uint128(3) << 100), 1_000e6, 20_000), alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(sale, 4_000e6, 0);
        authorizeSale(sale, IVault.Purpose.Close, 4_000e6, 5_000);
        usdc.setBlacklisted(address(exchange), true);
        bytes32[] memory keys = new bytes32[](3);
        (keys[0], keys[1], keys[2]) = (one, two, sale);
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        assertState(one, IVault.PositionState.Reverted);
        assertState(two, IVault.PositionState.Open);
        assertEq(uint256(vault.liveOrderOf(sale).purpose), 0, "the sale's order is over");
        resolve(1, 0);
        vault.settle(two);
        assertState(two, IVault.PositionState.Settled);
        assertSolvent();
    }

    /// @dev What is left over: an allowance nobody could take off, over an account that is empty.
    function test_limit_an_allowance_stays_while_the_exchange_is_barred() public {
        bytes32 key = create(tenfold(1), alice);
        authorizeOpen(key, 5_000);
        address account = vault.accountOf(key);
        usdc.setBlacklisted(address(exchange), true);
        finalize(key);
        assertGe(usdc.allowance(account, address(exchange)), 1, "USDC refused to take it off");
        assertEq(usdc.balanceOf(account), 0, "there is nothing to pull");
    }

    function test_an_allowance_that_starved_is_not_left_on() public {
        bytes32 key = create(tenfold(1), alice);
        authorizeOpen(key, 5_000);
        skip(400);
        for (uint256 gasLimit = 120_000; gasLimit < 3_000_000; gasLimit += 3_001) {
            vm.prank(bob, bob);
            (bool done, ) = address(vault).call{gas: gasLimit}(abi.encodeCall(vault.finalize, (key)));
            if (!done) continue;
            assertEq(usdc.allowance(vault.accountOf(key), address(exchange)), 0, "off with whatever gas it ended");
            return;
        }
        revert("no gas was enough");
    }

    // ------------------------------------------------------------ dust beside a debt

    /// @dev The lowest limit whose price covers the debt by all tokens, and a sale of all but dust at it.
    function sellAllButDust(bytes32 key, IVault.Purpose purpose) private returns (bytes memory refusal) {
        (uint256 debt, ) = vault.debtOf(key);
        uint256 held = tokensOf(key);
        uint32 limit = uint32((debt * 10_000 + held - 1) / held);
        IVault.PriceAttestation memory a = attestation(purpose, limit, limit);
        (a.venueFeeBps, a.triggerPips) = (0, purpose == IVault.Purpose.Unwind ? 1 : 0);
        uint256 sold = held - 9_999;
        IVenueExchange.Order memory o = orderOf(key, 1, sold, (sold * limit + 9_999) / 10_000);
        bytes memory signature = signAttestation(a);
        vm.prank(keeper, keeper);
        try vault.authorizeOrder(key, purpose, o, uint64(block.timestamp + 60), a, signature) {} catch (
            bytes memory reason
        ) {
            return reason;
        }
    }

    function test_a_close_that_leaves_dust_covers_the_debt_by_what_it_sells() public {
        bytes32 key = open(tenfold(1), alice, 9_000);
        vm.prank(alice, alice);
        vault.requestClose(key, type(uint256).max, 0);
        assertEq(bytes4(sellAllButDust(key, IVault.Purpose.Close)), IVault.SaleBelowDebt.selector, "close");
    }

    function test_an_unwind_that_leaves_dust_covers_the_debt_by_what_it_sells() public {
        bytes32 key = open(tenfold(1), alice, 9_000);
        assertEq(bytes4(sellAllButDust(key, IVault.Purpose.Unwind)), IVault.SaleBelowDebt.selector, "unwind");
    }

    // ------------------------------------------------------------ prices of a few pips

    function test_limit_at_a_mark_of_one_pip_nothing_can_be_liquidated() public {
        bytes32 key = open(requestOf(bytes16(uint128(1) << 100), 10e6, 100_000), alice, 1);
        assertEq(principalOf(key), 90e6, "lent");
        assertEq(vault.liquidationPriceOf(key), 0, "less than a pip a token");
    }

    function test_limit_at_three_pips_the_floor_of_the_price_is_a_quarter_of_the_loan() public {
        bytes32 key = open(requestOf(bytes16(uint128(1) << 100), 30e6, 100_000), alice, 3);
        assertEq(vault.liquidationPriceOf(key), 2, "of 2.9");
        sell(key, IVault.Purpose.Liquidate, tokensOf(key), 2);
        assertGe(vault.positionOf(key).badDebtUsdcUnits, 70e6, "of 270 lent");
        assertSolvent();
    }

    // ------------------------------------------------------------ who waits for whom

    function test_limit_numerators_that_overflow_leave_the_exit_alone() public {
        bytes32 key = open();
        resolve(type(uint256).max / 2, 1);
        vm.prank(bob, bob);
        (bool settled, ) = address(vault).call(abi.encodeCall(vault.settle, (key)));
        assertTrue(!settled, "ConditionalTokens itself cannot pay");
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_limit_one_barred_account_stops_a_batch_and_nothing_else() public {
        bytes32 one = create(requestOf(bytes16(uint128(1) << 100), 1_000e6, 20_000), alice);
        authorizeOpen(one, 5_000);
        bytes32 two = create(requestOf(bytes16(uint128(2) << 100), 1_000e6, 20_000), bob);
        authorizeOpen(two, 5_000);
        usdc.setBlacklisted(vault.accountOf(one), true);
        bytes32[] memory keys = new bytes32[](2);
        (keys[0], keys[1]) = (one, two);
        vm.prank(keeper, keeper);
        (bool ended, ) = address(vault).call(abi.encodeCall(vault.finalizeMany, (keys)));
        assertTrue(!ended, "the barred account cannot pay its loan back");
        finalize(two);
        assertState(two, IVault.PositionState.Reverted);
    }

    function test_limit_a_deferred_refund_of_an_opening_pays_a_later_loss() public {
        bytes32 key = create(tenfold(1), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        fillWhole(o, (o.makerAmount * 300) / 10_000);
        usdc.setBlacklisted(alice, true);
        finalize(key);
        assertEq(cashOf(key), 100e6, "a quarter of the fee budget waits");
        usdc.setBlacklisted(alice, false);
        vm.prank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Open));
        vault.claim(key);
        resolve(0, 1);
        vault.settle(key);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 8_900e6, "it repaid a part of the loan");
    }

    // ------------------------------------------------------------ asked, and answered with no

    function test_a_keeper_who_renews_unwinds_cannot_keep_an_owner_in() public {
        bytes32 key = open(requestOf(bytes16(uint128(1) << 100), 1_000e6, 30_000), alice, 5_000);
        renewUnwind(key, START, bytes4(0));
        vm.warp(START + 60);
        vm.prank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderLive.selector, START + 60));
        vault.exitByRepaying(key, alice);
        renewUnwind(key, START + 60, bytes4(0));
        vm.prank(alice, alice);
        vault.addMargin(key, type(uint256).max);
        renewUnwind(key, START + 60, IVault.NotTriggered.selector);
        vm.warp(START + 121);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
    }

    function renewUnwind(bytes32 key, uint256 time, bytes4 refusal) private {
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        a.observedAt = uint64(time);
        IVenueExchange.Order memory o = orderOf(key, 1, 10e6, 5e6);
        bytes memory signature = signAttestation(a);
        vm.prank(keeper, keeper);
        if (refusal != bytes4(0)) vm.expectRevert(refusal);
        vault.authorizeOrder(key, IVault.Purpose.Unwind, o, uint64(time + 60), a, signature);
    }

    function test_written_off_closed_in_part_and_settled_to_the_unit() public {
        bytes32 key = open(requestOf(bytes16(uint128(1) << 100), 1_000e6, 30_000), alice, 5_000);
        skip(60 days);
        vm.prank(owner, owner);
        vault.writeOff(key);
        (uint256 debt, uint256 fees) = vault.debtOf(key);
        skip(30 days);
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.requestClose(key, 2_000e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 2_000e6, 5_000), 0);
        finalize(key);
        uint256 part = (debt + 2) / 3;
        uint256 feePart = (fees + 2) / 3;
        assertEq(pool.bookOf().reserveUsdcUnits - reserve, part, "a third is recovered");
        assertEq(usdc.balanceOf(alice) - before, 1_000e6 - part - feePart, "the rest of the sale is hers");
        resolve(1, 0);
        vault.settle(key);
        assertEq(pool.bookOf().reserveUsdcUnits - reserve, debt, "all is recovered");
        assertEq(usdc.balanceOf(alice) - before, 5_000e6 - debt - fees, "hers in the end");
        assertSolvent();
    }

    /// @dev Three orders, the first pre-approved and filled late, and gifts between: book and account agree.
    function testFuzz_three_opening_orders_leave_nothing(
        uint256 first,
        uint256 second,
        uint256 third,
        uint256 gift,
        bool late
    ) public {
        IVault.CreateRequest memory r = tenfold(1);
        r.minFillBps = 1;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory older = opening(key, bound(first, 100e6, 4_000e6));
        vm.prank(operator, operator);
        exchange.preapproveOrder(older);
        older.signature = "";
        IVenueExchange.Order memory newer = opening(key, bound(second, 100e6, 3_000e6));
        fillPart(older, 2);
        fillPart(newer, 3);
        usdc.mint(vault.accountOf(key), bound(gift, 0, 3_000e6));
        fillPart(opening(key, bound(third, 100e6, 2_000e6)), 1);
        assertGe(tokensOf(key), 1, "something was bought");
        if (late) {
            skip(121);
            vm.prank(alice, alice);
            vault.cancelPosition(key);
        } else {
            finalize(key);
        }
        assertEq(cashOf(key), 0, "all is handed out");
        (uint256 lent, ) = pool.outcomeLoanOf(yesOutcome);
        assertEq(lent, principalOf(key), "what is lent is owed");
        assertAllowancesOff(key);
        assertSolvent();
        resolve(1, 0);
        if (stateOf(key) == IVault.PositionState.Open) vault.settle(key);
        assertSolvent();
    }

    function opening(bytes32 key, uint256 usdcUnits) private returns (IVenueExchange.Order memory o) {
        usdcUnits = (usdcUnits / 5_000) * 5_000;
        o = orderOf(key, 0, usdcUnits, usdcUnits * 2);
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    /// @dev A part of an order with a fee of 4 %; an older order may find too little left.
    function fillPart(IVenueExchange.Order memory o, uint256 divisor) private {
        uint256 gives = (o.makerAmount / divisor / 5_000) * 5_000;
        try this.fillOutside(o, gives) {} catch (bytes memory reason) {
            assertEq(bytes4(reason), IERC20Errors.ERC20InsufficientAllowance.selector, "only the allowance may be too small");
        }
    }

    function fillOutside(IVenueExchange.Order memory o, uint256 gives) external {
        fill(o, gives, gives * 2, gives / 25);
    }
}
