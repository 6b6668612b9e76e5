// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice A user that calls back into the vault whenever outcome tokens reach it.
contract ReenteringUser {
    address private immutable VAULT;
    bytes private inner;
    bool public blocked;

    constructor(address vault, address usdc) {
        VAULT = vault;
        (bool done, ) = usdc.call(abi.encodeWithSignature("approve(address,uint256)", vault, type(uint256).max));
        require(done);
    }

    function run(bytes calldata outer, bytes calldata back) external {
        inner = back;
        (bool done, bytes memory answer) = VAULT.call(outer);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4) {
        (bool done, ) = VAULT.call(inner);
        blocked = !done;
        return this.onERC1155Received.selector;
    }
}

/// @notice Who may do what when: finalize, cancel, settle, claim, exit and the rest at every step of a life, with a
/// dead keeper, a resolved market, blacklisted users and callbacks.
contract StepsTest is VaultFixture {
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
            vm.expectRevert();
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
        vm.expectRevert();
        matchWith(o, makers, 300e6, 600e6, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(usdc.balanceOf(alice), before, "refunded");
        assertEq(pool.freeLiquidity(), free, "capacity back");
    }

    function test_F9_callbacks_cannot_re_enter() public {
        ReenteringUser user = new ReenteringUser(address(vault), address(usdc));
        usdc.mint(address(user), 10_000e6);
        IVault.CreateRequest memory r = request();
        user.run(abi.encodeCall(IVault.createPosition, (r, signQuote(r, address(user)))), "");
        bytes32 key = vault.positionKeyOf(address(user), r.positionSeed);
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        finalize(key);
        user.run(
            abi.encodeCall(IVault.exitByRepaying, (key, address(user))),
            abi.encodeCall(IVault.claim, (key))
        );
        assertTrue(user.blocked(), "re-entrance refused");
        assertState(key, IVault.PositionState.Closed);
    }

    function test_exit_to_a_receiver_that_refuses_changes_nothing() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vm.expectRevert();
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
        vm.expectRevert();
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
