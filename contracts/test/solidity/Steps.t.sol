// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {GasBurningUser, ReenteringUser, RevertingUser} from "./HostileUsers.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice Who may do what when: finalize, cancel, settle, claim, exit and the rest at every step of a life, with a
/// dead keeper, a resolved market, blacklisted users and callbacks.
contract StepsTest is VaultFixture {
    /// @dev Left after a whole liquidation: less than a cent of a token, so the position ends all the same.
    uint256 private constant DUST = 9_999;
    /// @dev Calls of a hostile receiver that meet the vault's lock; those after them go to the pool.
    uint256 private constant LOCKED_CALLS = 12;

    /// @dev Positions of a hostile receiver, each waiting for one call.
    struct Waiting {
        bytes32 open;
        bytes32 exiting;
        bytes32 pending;
        bytes32 overdue;
        bytes32 overdueToo;
        bytes32 resolved;
        bytes32 claimable;
    }

    function test_strangers_finalize_only_when_nothing_is_live_and_time_is_over() public {
        bytes32 key = create();
        vm.startPrank(stranger, stranger);
        vm.expectRevert(IVault.NotFinalizableYet.selector);
        vault.finalize(key);
        vm.stopPrank();
        authorizeOpen(key, 5_000);
        vm.startPrank(stranger, stranger);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderLive.selector, START + 120));
        vault.finalize(key);
        vm.warp(START + 121);
        vm.expectRevert(IVault.NotFinalizableYet.selector);
        vault.finalize(key);
        vm.warp(START + 300);
        vm.expectRevert(IVault.NotFinalizableYet.selector);
        vault.finalize(key);
        vm.warp(START + 301);
        vault.finalize(key);
        vm.stopPrank();
        assertState(key, IVault.PositionState.Reverted);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Reverted));
        vault.finalize(key);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.None));
        vault.finalize(bytes32(0));
    }

    function test_finalize_of_an_open_position_needs_an_order() public {
        bytes32 key = open();
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.NothingToFinalize.selector);
        vault.finalize(key);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        vm.prank(stranger, stranger);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderLive.selector, START + 60));
        vault.finalize(key);
        skip(61);
        vm.prank(stranger, stranger);
        vault.finalize(key);
        assertEq(vault.positionOf(key).closeTokenUnits, 600e6, "still asked for");
        assertAllowancesOff(key);
    }

    function test_finalizeMany_skips_what_has_nothing_to_do() public {
        bytes32 a = create();
        bytes32 b = open(requestOf(bytes16(uint128(2) << 100), 100e6, 30_000), alice, 5_000);
        bytes32 c = create(requestOf(bytes16(uint128(3) << 100), 100e6, 30_000), bob);
        bytes32[] memory keys = new bytes32[](5);
        (keys[0], keys[1], keys[2], keys[3], keys[4]) = (a, b, c, bytes32(0), a);
        vm.prank(stranger, stranger);
        vault.finalizeMany(keys);
        assertState(a, IVault.PositionState.Pending);
        vm.prank(keeper, keeper);
        vault.finalizeMany(keys);
        assertState(a, IVault.PositionState.Reverted);
        assertState(b, IVault.PositionState.Open);
        assertState(c, IVault.PositionState.Reverted);
    }

    function test_only_the_owner_of_a_position_may_ask() public {
        bytes32 key = open();
        vm.startPrank(stranger, stranger);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.cancelPosition(key);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.requestClose(key, 600e6, 0);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.addMargin(key, 1);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.exitByRepaying(key, stranger);
        vm.stopPrank();
        vm.startPrank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Open));
        vault.cancelPosition(key);
        vm.expectRevert(IVault.ZeroAddress.selector);
        vault.exitByRepaying(key, address(0));
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Open));
        vault.claim(key);
        vm.expectRevert(IVault.NotResolved.selector);
        vault.settle(key);
        vm.stopPrank();
    }

    function test_requestClose_edges() public {
        bytes32 key = open();
        vm.startPrank(alice, alice);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 120e6 - 1, 0);
        vault.requestClose(key, 120e6, 10_000);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 120e6, 10_001);
        vault.requestClose(key, 595e6, 0);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 595e6 + 1, 0);
        vault.requestClose(key, type(uint256).max, 0);
        assertEq(vault.positionOf(key).closeTokenUnits, 600e6, "all");
        vault.requestClose(key, 0, 0);
        assertEq(vault.positionOf(key).closeTokenUnits, 0, "withdrawn");
        vm.stopPrank();
    }

    function test_small_positions_close_whole_only() public {
        bytes32 key = open(requestOf(bytes16(uint128(4) << 100), 1_000_000, 20_000), alice, 5_000);
        assertEq(vault.positionOf(key).tokenUnits, 4e6, "four tokens");
        vm.startPrank(alice, alice);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 2e6, 0);
        vault.requestClose(key, 4e6, 0);
        vm.stopPrank();
        sell(key, IVault.Purpose.Close, 4e6, 6_000);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_addMargin_takes_no_more_than_is_owed() public {
        bytes32 key = open();
        skip(30 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        vm.startPrank(alice, alice);
        assertEq(vault.addMargin(key, 1_000_000e6), principal + fees, "capped");
        assertEq(before - usdc.balanceOf(alice), principal + fees, "paid");
        vm.expectRevert(IVault.NothingOwed.selector);
        vault.addMargin(key, 1);
        assertEq(vault.liquidationPriceOf(key), 0, "no debt, no price");
        vm.stopPrank();
        skip(365 days);
        (principal, fees) = vault.debtOf(key);
        assertEq(principal + fees, 0, "and none accrues");
    }

    function test_addMargin_pays_principal_before_fees() public {
        bytes32 key = open();
        skip(30 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        vm.prank(alice, alice);
        vault.addMargin(key, principal);
        (uint256 principalLeft, uint256 feesLeft) = vault.debtOf(key);
        assertEq(principalLeft, 0, "principal");
        assertEq(feesLeft, fees, "fees wait");
    }

    function test_exit_books_a_dead_sale_first() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 600e6, 6_000), 0);
        skip(61);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
        assertGe(usdc.balanceOf(alice), before + 159e6, "the sale ended it: he is paid, nothing is taken");
        assertSolvent();
    }

    function test_exit_after_a_dead_part_sale_takes_the_rest() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 300e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 300e6, 6_000), 0);
        skip(61);
        usdc.mint(vault.accountOf(key), 5e6);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, bob);
        assertState(key, IVault.PositionState.Closed);
        assertEq(tokens.balanceOf(bob, yesId), 300e6, "the rest of the tokens");
        assertEq(cashOf(key), 0, "nothing left");
        assertSolvent();
    }

    function test_keeper_dead_at_every_step() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        skip(301);
        vm.prank(alice, alice);
        vault.finalize(key);
        assertEq(usdc.balanceOf(alice), before, "created, never ordered");

        key = create(requestOf(bytes16(uint128(2) << 100), 100e6, 30_000), alice);
        authorizeOpen(key, 5_000);
        skip(121);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(usdc.balanceOf(alice), before, "ordered, never filled");

        key = create(requestOf(bytes16(uint128(3) << 100), 100e6, 30_000), alice);
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        skip(301);
        vm.startPrank(alice, alice);
        vault.finalize(key);
        vault.exitByRepaying(key, alice);
        vm.stopPrank();
        assertState(key, IVault.PositionState.Closed);

        key = open(requestOf(bytes16(uint128(4) << 100), 100e6, 30_000), alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        skip(61);
        resolve(1, 0);
        vm.prank(alice, alice);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertSolvent();
    }

    function test_market_resolves_at_every_step() public {
        bytes32 created = create();
        bytes32 ordered = create(requestOf(bytes16(uint128(2) << 100), 100e6, 30_000), alice);
        authorizeOpen(ordered, 5_000);
        bytes32 filled = create(requestOf(bytes16(uint128(3) << 100), 100e6, 30_000), alice);
        fillWhole(authorizeOpen(filled, 5_000), 9e6);
        bytes32 opened = open(requestOf(bytes16(uint128(4) << 100), 100e6, 30_000), alice, 5_000);
        bytes32 selling = open(requestOf(bytes16(uint128(5) << 100), 100e6, 30_000), alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(selling, 600e6, 0);
        authorizeSale(selling, IVault.Purpose.Close, 600e6, 5_000);
        bytes32 sold = open(requestOf(bytes16(uint128(6) << 100), 100e6, 30_000), alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(sold, 300e6, 0);
        fillWhole(authorizeSale(sold, IVault.Purpose.Close, 300e6, 5_000), 0);
        resolve(1, 0);
        bytes32[6] memory keys = [created, ordered, filled, opened, selling, sold];
        for (uint256 i = 0; i < keys.length; ++i) {
            vm.prank(stranger, stranger);
            vault.settle(keys[i]);
            assertState(keys[i], i < 2 ? IVault.PositionState.Reverted : IVault.PositionState.Settled);
            assertEq(cashOf(keys[i]) + tokensOf(keys[i]), 0, "nothing left behind");
            vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, stateOf(keys[i])));
            vault.settle(keys[i]);
        }
        assertEq(pool.bookOf().lentUsdcUnits, 0, "every loan repaid");
        assertSolvent();
    }

    function test_F12_blacklisted_user_blocks_nobody() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 300e6, 0);
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Close, 300e6, 6_000);
        fillWhole(o, 0);
        usdc.setBlacklisted(alice, true);
        finalize(key);
        assertEq(cashOf(key), 80e6, "his part waits in the account");
        resolve(1, 0);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
        assertEq(pool.bookOf().lentUsdcUnits, 0, "the pool is paid");
        uint256 waiting = cashOf(key);
        vault.claim(key);
        assertEq(cashOf(key), waiting, "still waiting");
        usdc.setBlacklisted(alice, false);
        uint256 before = usdc.balanceOf(alice);
        vault.claim(key);
        assertEq(usdc.balanceOf(alice) - before, waiting, "handed out later");
        assertSolvent();
    }

    function test_F12_liquidation_of_a_blacklisted_user() public {
        bytes32 key = open();
        usdc.setBlacklisted(alice, true);
        sell(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        assertState(key, IVault.PositionState.Liquidated);
        assertSolvent();
    }

    function test_refund_of_a_blacklisted_user_waits_for_a_claim() public {
        bytes32 key = create();
        usdc.setBlacklisted(alice, true);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        usdc.setBlacklisted(alice, false);
        uint256 before = usdc.balanceOf(alice);
        vault.claim(key);
        assertEq(usdc.balanceOf(alice) - before, 115e6, "all of it");
    }

    function test_F10_ghost_fill_refunds_and_frees_capacity() public {
        uint256 free = pool.freeLiquidity();
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        vm.prank(maker, maker);
        tokens.setApprovalForAll(address(exchange), false);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(yesId, 1, 600e6, 300e6);
        vm.expectRevert(bytes("ERC1155: need operator approval for 3rd party transfers."));
        matchWith(o, makers, 300e6, 600e6, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(usdc.balanceOf(alice), before, "refunded");
        assertEq(pool.freeLiquidity(), free, "capacity back");
    }

    function test_F12_liquidation_of_a_user_that_refuses_everything() public {
        liquidateWholeAndInTwo(address(new RevertingUser()));
    }

    function test_F12_liquidation_of_a_user_that_burns_all_gas() public {
        liquidateWholeAndInTwo(address(new GasBurningUser()));
    }

    function test_F12_liquidation_of_a_user_that_re_enters() public {
        ReenteringUser user = new ReenteringUser();
        address[] memory targets = new address[](2);
        bytes[] memory calls = new bytes[](2);
        (targets[0], targets[1]) = (address(vault), address(vault));
        bytes32 whole = vault.positionKeyOf(address(user), seeded(2).positionSeed);
        bytes32 inTwo = vault.positionKeyOf(address(user), seeded(3).positionSeed);
        calls[0] = abi.encodeCall(IVault.claim, (whole));
        calls[1] = abi.encodeCall(IVault.exitByRepaying, (inTwo, address(user)));
        user.arm(targets, calls);
        liquidateWholeAndInTwo(address(user));
        assertEq(user.receipts(), 0, "a liquidation runs no code of its user");
    }

    /// @dev Both liquidations leave dust in the account: what is left over is never pushed at its owner.
    function liquidateWholeAndInTwo(address user) private {
        fundUser(user, 10_000e6);
        bytes32 whole = open(seeded(2), user, 5_000);
        bytes32 inTwo = open(seeded(3), user, 5_000);
        skip(10 days);
        liquidate(whole, 600e6 - DUST, 3_600);
        assertState(whole, IVault.PositionState.Liquidated);
        liquidate(inTwo, 300e6, 3_600);
        assertState(inTwo, IVault.PositionState.Open);
        // The first sale made it healthy again at that price.
        liquidate(inTwo, 300e6 - DUST, 3_450);
        assertState(inTwo, IVault.PositionState.Liquidated);
        assertEq(tokensOf(whole) + tokensOf(inTwo), 2 * DUST, "the dust waits");
        assertEq(cashOf(whole) + cashOf(inTwo), 0, "the money does not");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "every loan repaid");
        assertSolvent();
    }

    /// @dev Sells with a venue fee of 3 % and holds pool and user to the waterfall, to the unit.
    function liquidate(bytes32 key, uint256 tokenUnits, uint32 pricePips) private {
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        address user = vault.positionOf(key).user;
        uint256 ofUser = usdc.balanceOf(user);
        (uint256 ofPool, uint256 booked) = pool.solvency();
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Liquidate, tokenUnits, pricePips);
        uint256 venueFee = (o.takerAmount * 300) / 10_000;
        fillWhole(o, venueFee);
        finalize(key);

        uint256 cash = o.takerAmount - venueFee;
        uint256 repaid = principal < cash ? principal : cash;
        bool covered = cash > principal;
        // One per cent of what was repaid, ceil; while the principal is not covered nothing is left to pay fees.
        uint256 due = covered ? principal + fees + (principal + 99) / 100 : cash;
        (uint256 ofPoolNow, uint256 bookedNow) = pool.solvency();
        assertEq(ofPoolNow - ofPool, due, "principal, lifetime fees, liquidation fee");
        assertEq(bookedNow - booked, due, "and all of it is booked");
        assertEq(usdc.balanceOf(user) - ofUser, cash - due, "the rest is the user's");
        assertEq(principalOf(key), principal - repaid, "what is still owed");
    }

    function test_F9_callbacks_of_an_exit_cannot_re_enter() public {
        ReenteringUser user = hostile();
        Waiting memory w = waitingFor(user);
        bytes32 key = open(seeded(8), address(user), 5_000);
        arm(user, w);
        user.call(address(vault), abi.encodeCall(IVault.exitByRepaying, (key, address(user))));
        assertState(key, IVault.PositionState.Closed);
        assertEq(tokens.balanceOf(address(user), yesId), 600e6, "the tokens arrived");
        assertLockedThenFree(user, w);
    }

    function test_F9_callbacks_of_a_claim_cannot_re_enter() public {
        ReenteringUser user = hostile();
        Waiting memory w = waitingFor(user);
        bytes32 key = create(seeded(8), address(user));
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        tokens.safeTransferFrom(maker, account, yesId, 20_000, "");
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        arm(user, w);
        user.call(address(vault), abi.encodeCall(IVault.claim, (key)));
        assertEq(tokens.balanceOf(address(user), yesId), 20_000, "the tokens arrived");
        assertLockedThenFree(user, w);
    }

    function seeded(uint128 number) private view returns (IVault.CreateRequest memory) {
        return requestOf(bytes16(number << 100), 100e6, 30_000);
    }

    /// @dev A user with money, shares of the pool and a redeem request that is usable now.
    function hostile() private returns (ReenteringUser user) {
        user = new ReenteringUser();
        fundUser(address(user), 100_000e6);
        vm.startPrank(address(user), address(user));
        usdc.approve(address(pool), type(uint256).max);
        pool.requestRedeem(pool.deposit(10_000e6, address(user)));
        vm.stopPrank();
        skip(24 hours);
    }

    /// @dev One position for each call that a callback will try; two of them are overdue, one is of a resolved market.
    function waitingFor(ReenteringUser user) private returns (Waiting memory w) {
        address account = address(user);
        w.overdue = create(seeded(1), account);
        w.overdueToo = create(seeded(2), account);
        skip(301);
        w.pending = create(seeded(3), account);
        w.open = open(seeded(4), account, 5_000);
        w.exiting = open(seeded(5), account, 5_000);
        w.claimable = create(seeded(6), account);
        finalize(w.claimable);
        usdc.mint(vault.accountOf(w.claimable), 5e6);
        w.resolved = openInResolvedMarket(account);
    }

    function openInResolvedMarket(address user) private returns (bytes32 key) {
        (bytes32 condition, uint256 yes, uint256 no) = (conditionId, yesId, noId);
        bytes32 question = keccak256("resolved");
        (conditionId, yesId, noId) = prepareMarket(question);
        vault.registerOutcome(oracle, question, 1);
        fundMaker();
        key = open(seeded(7), user, 5_000);
        uint256[] memory payouts = new uint256[](2);
        payouts[0] = 1;
        vm.prank(oracle, oracle);
        tokens.reportPayouts(question, payouts);
        (conditionId, yesId, noId) = (condition, yes, no);
    }

    function arm(ReenteringUser user, Waiting memory w) private {
        (address[] memory targets, bytes[] memory calls) = callsBack(address(user), w);
        user.arm(targets, calls);
    }

    /// @dev First what the vault's lock must refuse, each of which would succeed otherwise; then two calls to the pool.
    function callsBack(
        address user,
        Waiting memory w
    ) private view returns (address[] memory targets, bytes[] memory calls) {
        calls = new bytes[](LOCKED_CALLS + 2);
        targets = new address[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) targets[i] = i < LOCKED_CALLS ? address(vault) : address(pool);
        IVault.Permit memory none;
        bytes32[] memory keys = new bytes32[](1);
        keys[0] = w.overdueToo;
        calls[0] = abi.encodeCall(IVault.addMargin, (w.open, 1e6));
        calls[1] = abi.encodeCall(IVault.requestClose, (w.open, 600e6, 0));
        calls[2] = abi.encodeCall(IVault.createPosition, (seeded(20), signQuote(seeded(20), user)));
        calls[3] = abi.encodeCall(IVault.createPositionWithPermit, (seeded(21), signQuote(seeded(21), user), none));
        calls[4] = abi.encodeCall(IVault.cancelPosition, (w.pending));
        calls[5] = abi.encodeCall(IVault.finalize, (w.overdue));
        calls[6] = abi.encodeCall(IVault.finalizeMany, (keys));
        calls[7] = abi.encodeCall(IVault.settle, (w.resolved));
        calls[8] = abi.encodeCall(IVault.exitByRepaying, (w.exiting, user));
        calls[9] = abi.encodeCall(IVault.claim, (w.claimable));
        calls[10] = abi.encodeCall(IVault.registerOutcome, (oracle, QUESTION, 2));
        calls[11] = abi.encodeCall(IVault.exitByRepaying, (w.open, user));
        calls[LOCKED_CALLS] = abi.encodeCall(IERC4626.deposit, (1_000e6, user));
        calls[LOCKED_CALLS + 1] = abi.encodeCall(IERC4626.redeem, (1_000e12, user, user));
    }

    /// @dev The vault refused every call of the callback by its lock; all of them succeed now. The pool is not locked:
    /// its book is complete before tokens are sent, and it served the callback at the price it serves now.
    function assertLockedThenFree(ReenteringUser user, Waiting memory w) private {
        (address[] memory targets, bytes[] memory calls) = callsBack(address(user), w);
        ReenteringUser.Answer[] memory answers = user.answers();
        assertEq(user.receipts(), 1, "called back once");
        assertEq(answers.length, calls.length, "every call was tried");
        bytes memory locked = abi.encodePacked(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        for (uint256 i = 0; i < LOCKED_CALLS; ++i) {
            string memory which = vm.toString(i);
            assertTrue(!answers[i].done, string.concat("refused inside: ", which));
            assertEq(keccak256(answers[i].data), keccak256(locked), string.concat("by the lock: ", which));
        }
        for (uint256 i = 0; i < calls.length; ++i) {
            bytes memory afterwards = user.call(targets[i], calls[i]);
            if (i < LOCKED_CALLS) continue;
            assertTrue(answers[i].done, "the pool serves");
            assertEq(keccak256(answers[i].data), keccak256(afterwards), "at the same price");
        }
        assertServed(w);
    }

    /// @dev The calls did after the callback what they could not do inside it.
    function assertServed(Waiting memory w) private view {
        assertState(w.pending, IVault.PositionState.Cancelled);
        assertState(w.overdue, IVault.PositionState.Reverted);
        assertState(w.overdueToo, IVault.PositionState.Reverted);
        assertState(w.resolved, IVault.PositionState.Settled);
        assertState(w.exiting, IVault.PositionState.Closed);
        assertState(w.open, IVault.PositionState.Closed);
        assertEq(cashOf(w.claimable), 0, "claimed");
        assertEq(vault.outcomeIdOf(conditionId, noId), 3, "registered");
        assertSolvent();
    }

    function test_exit_to_a_receiver_that_refuses_changes_nothing() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        // USDC has no such function: ConditionalTokens passes on its refusal, which has no words.
        vm.expectRevert(bytes(""));
        vault.exitByRepaying(key, address(usdc));
        assertState(key, IVault.PositionState.Open);
    }

    function test_F27_late_close_and_void() public {
        bytes32 key = open();
        skip(400 days);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        resolve(1, 1);
        vault.settle(key);
        assertEq(usdc.balanceOf(alice) - before, 300e6 - principal - fees, "void pays half a dollar, less what is owed");
        assertSolvent();
    }

    function test_write_off_edges_and_late_recovery_by_settlement() public {
        bytes32 key = open();
        skip(60 days);
        vm.prank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, alice));
        vault.writeOff(key);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        vm.startPrank(owner, owner);
        vm.expectPartialRevert(IVault.OrderLive.selector);
        vault.writeOff(key);
        vm.stopPrank();
        finalize(key);
        vm.startPrank(owner, owner);
        vault.writeOff(key);
        skip(61 days);
        vm.expectRevert(IVault.NothingOwed.selector);
        vault.writeOff(key);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.None));
        vault.writeOff(bytes32(0));
        vm.stopPrank();
        assertEq(vault.liquidationPriceOf(key), (vaultThreshold(key) * 10_000) / 600e6, "still owed, still liquidatable");
        (, uint256 fees) = vault.debtOf(key);
        uint256 before = usdc.balanceOf(alice);
        resolve(1, 0);
        vault.settle(key);
        assertEq(usdc.balanceOf(alice) - before, 600e6 - 200e6 - fees, "written-off debt comes first");
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "recovered");
        assertEq(pool.bookOf().reserveUsdcUnits, 25_000e6, "reserve made whole");
        assertSolvent();
    }

    function vaultThreshold(bytes32 key) private view returns (uint256 threshold) {
        (, threshold, ) = vault.healthOf(key, 1);
    }

    function test_partial_close_in_slices_keeps_the_request() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 300e6, 0);
        sell(key, IVault.Purpose.Close, 100e6, 5_000);
        assertEq(vault.positionOf(key).closeTokenUnits, 200e6, "the rest is still asked for");
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        IVenueExchange.Order memory o = orderOf(key, 1, 310e6, 155e6);
        authorize(key, o, a);
        fillWhole(o, 0);
        finalize(key);
        assertEq(vault.positionOf(key).closeTokenUnits, 190e6, "never more than is held");
        assertSolvent();
    }

    function test_unfilled_orders_change_nothing() public {
        bytes32 key = open();
        IVault.Position memory before = vault.positionOf(key);
        skip(100);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        finalize(key);
        IVault.Position memory p = vault.positionOf(key);
        assertEq(p.since, before.since, "no accrual point moved");
        assertEq(p.principalUsdcUnits, before.principalUsdcUnits, "principal");
        assertEq(p.tokenUnits, before.tokenUnits, "tokens");
    }

    function test_donation_to_an_open_position_counts_as_proceeds() public {
        bytes32 key = open();
        usdc.mint(vault.accountOf(key), 50e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        IVenueExchange.Order memory o = orderOf(key, 1, 100e6, 50e6);
        authorize(key, o, a);
        finalize(key);
        assertEq(principalOf(key), 150e6, "the gift repaid debt, no token was sold");
        assertSolvent();
    }
}
