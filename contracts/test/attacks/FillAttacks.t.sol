// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {CallbackFiller} from "../fixtures/GrantFillers.sol";
import {GrantFixture} from "../fixtures/GrantFixture.sol";

/// @notice Fillers that reenter, do not deliver, spend what others approved, deliver dust, race, donate, or keep a
/// position's owner from leaving.
contract FillAttacksTest is GrantFixture {
    CallbackFiller private hostile;

    function setUp() public override {
        super.setUp();
        hostile = new CallbackFiller(vault);
        fundFiller(address(hostile));
    }

    function fillByHostile(bytes32 key, uint256 give, uint256 take, bytes memory data) private {
        hostile.call(address(vault), abi.encodeCall(IVault.fill, (key, give, take, data)));
    }

    function closing(bytes32 key) private {
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 5_000);
    }

    // ------------------------------------------------------------ H7, H8: dust and races

    function test_H7_atomic_opening_is_filled_by_99_percent_or_not_at_all() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        refuseFill(key, 5e6, 2_500_000, IVault.GrantPartTooSmall.selector);
        refuseFill(key, 594e6, 297e6 - 1, IVault.GrantPartTooSmall.selector);
        skip(301);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(tokensOf(key), 0, "nothing was delivered");
    }

    function test_H8_five_tokens_first_block_no_liquidation() public {
        bytes32 key = openByFill();
        uint32 price = uint32(vault.liquidationPriceOf(key));
        grant(key, IVault.Purpose.Liquidate, 600e6, price, price);
        refuseFill(key, 5e6, 5e6, IVault.GrantPartTooSmall.selector);
        // A fifth first: the fill of everything that waited behind it takes the rest.
        fillAs(filler, key, 60e6, 120e6);
        (, uint256 taken) = fillAs(filler, key, 300e6, 600e6);
        assertEq(taken, 480e6, "the rest");
        assertState(key, IVault.PositionState.Liquidated);
    }

    function test_H8_five_parts_end_any_grant() public {
        bytes32 key = openByFill();
        closing(key);
        for (uint256 i = 0; i < 5; ++i) fillGrant(key, 60e6, 120e6);
        assertState(key, IVault.PositionState.Closed);
        refuseFill(key, 60e6, 120e6, IVault.GrantNotLive.selector);
    }

    function test_H8_nothing_is_sold_for_nothing() public {
        IVault.CreateRequest memory r = requestOf(seedOf(4), 2e6, 20_000);
        bytes32 key = openByFill(r, alice, 5_000);
        requestClose(key, 8e6, 0);
        grant(key, IVault.Purpose.Close, 8e6, 5_000, 5_000);
        refuseFill(key, 0, 8e6, IVault.GrantPriceTooPoor.selector);
        refuseFill(key, 0, 1, IVault.GrantPriceTooPoor.selector);
        refuseFill(key, 1, 1, IVault.GrantPartTooSmall.selector);
    }

    // ------------------------------------------------------------ H14, H15: switches and signatures

    function test_H14_alarm_stops_older_grants_and_pause_stops_openings() public {
        bytes32 held = openByFill(seeded(2), alice, 5_000);
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        closing(held);
        vm.prank(guardian, guardian);
        vault.pauseOpening();
        refuseFill(key, 600e6, 300e6, IVault.OpeningIsPaused.selector);
        vm.prank(guardian, guardian);
        vault.raiseAlarm();
        refuseFill(held, 300e6, 600e6, IVault.GrantNotLive.selector);
        // Nothing of it is held up by the grant: anyone ends it.
        vm.prank(stranger, stranger);
        vault.finalize(held);
        assertNoGrant(held);
    }

    function test_H14_owner_and_stranger_end_no_live_grant() public {
        bytes32 key = openByFill();
        closing(key);
        vm.prank(stranger, stranger);
        vm.expectPartialRevert(IVault.OrderLive.selector);
        vault.finalize(key);
        vm.prank(alice, alice);
        vm.expectPartialRevert(IVault.OrderLive.selector);
        vault.exitByRepaying(key, alice);
        vm.prank(alice, alice);
        vm.expectRevert(IVault.NotGrantAuthority.selector);
        vault.endGrant(key);
        skip(11);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_H15_no_hash_is_live_while_a_grant_is() public virtual {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        bytes32 orderHash = vault.liveOrderOf(key).orderHash;
        assertTrue(vault.isLiveOrder(key, orderHash), "an order is");
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 5_000);
        assertTrue(!vault.isLiveOrder(key, bytes32(0)), "not zero");
        assertTrue(!vault.isLiveOrder(key, orderHash), "nor the order before it");
        assertAllowancesOff(key);
    }

    function test_H15_order_that_the_exchange_gives_no_hash_is_refused() public virtual {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        vm.mockCall(address(exchange), abi.encodePacked(exchange.hashOrder.selector), abi.encode(bytes32(0)));
        vm.expectPartialRevert(IVault.OrderUsed.selector);
        this.authorizeSaleFrom(key);
    }

    function authorizeSaleFrom(bytes32 key) external {
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
    }

    // ------------------------------------------------------------ H16: callback

    function test_H16_every_call_that_touches_a_position_is_locked_inside_a_fill() public {
        bytes32 ended = openByFill(seeded(2), alice, 5_000);
        closing(ended);
        fillAll(ended);
        bytes32[] memory keys = new bytes32[](1);
        keys[0] = ended;
        bytes[9] memory calls = [
            abi.encodeCall(IVault.fill, (ended, 1, 1, "")),
            abi.encodeCall(IVault.endGrant, (ended)),
            abi.encodeCall(IVault.finalize, (ended)),
            abi.encodeCall(IVault.finalizeMany, (keys)),
            abi.encodeCall(IVault.settle, (ended)),
            abi.encodeCall(IVault.claim, (ended)),
            abi.encodeCall(IVault.addMargin, (ended, 1)),
            abi.encodeCall(IVault.exitByRepaying, (ended, alice)),
            abi.encodeCall(IVault.cancelPosition, (ended))
        ];
        uint256 start = vm.snapshotState();
        for (uint256 i = 0; i < calls.length; ++i) {
            reenterOpening(calls[i]);
            vm.revertToState(start);
            reenterSale(calls[i]);
            vm.revertToState(start);
        }
    }

    function reenterOpening(bytes memory call) private {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        hostile.arm(address(vault), call);
        fillByHostile(key, 600e6, 300e6, hex"01");
        assertLocked();
        assertState(key, IVault.PositionState.Open);
        assertEq(principalOf(key), 200e6, "as without it");
        assertSolvent();
    }

    /// @dev From the receipt of the tokens, and from the callback.
    function reenterSale(bytes memory call) private {
        bytes32 key = openByFill(seeded(3), alice, 5_000);
        closing(key);
        hostile.arm(address(vault), call);
        fillByHostile(key, 150e6, 300e6, "");
        assertLocked();
        fillByHostile(key, 150e6, 300e6, hex"01");
        assertLocked();
        assertState(key, IVault.PositionState.Closed);
        assertSolvent();
    }

    function assertLocked() private view {
        assertTrue(!hostile.attempted(), "refused");
        bytes4 locked = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
        assertEq(bytes32(bytes4(hostile.answer())), bytes32(locked), "by the lock");
    }

    function test_H16_pool_figures_do_not_move_inside_a_fill() public {
        bytes32 key = openByFill();
        closing(key);
        uint256 worth = pool.convertToAssets(1e18);
        hostile.arm(address(pool), abi.encodeCall(pool.convertToAssets, (1e18)));
        fillByHostile(key, 300e6, 600e6, hex"01");
        assertEq(abi.decode(hostile.answer(), (uint256)), worth, "the price from before");
    }

    /// @dev An oracle's adapter that anyone may call.
    function reportNow() external {
        resolve(0, 1);
    }

    /// @dev A caller of such an adapter would buy the winning side, or sell the losing one, for sure.
    function test_H5_result_reported_inside_a_fill_undoes_it() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        hostile.arm(address(this), abi.encodeCall(this.reportNow, ()));
        vm.expectRevert(IVault.OutcomeDecided.selector);
        hostile.call(address(vault), abi.encodeCall(IVault.fill, (key, 600e6, 300e6, hex"01")));
        assertEq(vault.grantOf(key).filledUnits, 0, "nothing was sold to the position");
    }

    function test_H16_who_does_not_deliver_undoes_everything() public {
        CallbackFiller empty = new CallbackFiller(vault);
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        uint256 cash = cashOf(key);
        vm.expectRevert();
        empty.call(address(vault), abi.encodeCall(IVault.fill, (key, 600e6, 300e6, hex"01")));
        assertEq(cashOf(key), cash, "nothing was paid");
        assertEq(vault.grantOf(key).filledUnits, 0, "nor counted");
        bytes32 held = openByFill(seeded(2), alice, 5_000);
        closing(held);
        vm.expectRevert();
        empty.call(address(vault), abi.encodeCall(IVault.fill, (held, 300e6, 600e6, hex"01")));
        assertEq(tokensOf(held), 600e6, "nothing left");
    }

    function test_H16_caller_without_code_and_with_data_is_refused() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        vm.prank(filler, filler);
        vm.expectRevert();
        vault.fill(key, 600e6, 300e6, hex"01");
    }

    // ------------------------------------------------------------ H17: callers with code

    function test_H17_filler_with_code_finalizes_in_its_fill() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        vm.prank(address(hostile), stranger);
        vault.fill(key, 600e6, 300e6, "");
        assertState(key, IVault.PositionState.Open);
    }

    function test_H17_owner_with_code_ends_an_expired_grant_and_leaves() public {
        address wallet = address(new CallbackFiller(vault));
        fundUser(wallet, 10_000e6);
        bytes32 key = openByFill(seeded(2), wallet, 5_000);
        closing(key);
        fillGrant(key, 100e6, 200e6);
        skip(11);
        // Another than the sender of the transaction.
        vm.prank(wallet, stranger);
        vault.exitByRepaying(key, wallet);
        assertState(key, IVault.PositionState.Closed);
        assertEq(tokens.balanceOf(wallet, yesId), 400e6, "the rest");
    }

    function test_H17_order_that_a_grant_replaces_is_for_the_sender_of_a_transaction() public virtual {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Close, 5_000, 5_000, 600e6);
        a.positionKey = key;
        bytes memory signatures = signGrant(a);
        vm.prank(keeper, operator);
        vm.expectRevert(IVault.InsideCall.selector);
        vault.authorizeGrant(key, IVault.Purpose.Close, 600e6, a, signatures);
    }

    // ------------------------------------------------------------ H18, H19: donations and approvals

    function test_H18_donation_moves_the_loan_by_itself_and_blocks_nothing() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        usdc.mint(vault.accountOf(key), 1);
        fillAll(key);
        assertState(key, IVault.PositionState.Open);
        assertGe(principalOf(key), 200e6 - 1, "a unit at most");
        bytes32 held = openByFill(seeded(2), alice, 5_000);
        closing(held);
        usdc.mint(vault.accountOf(held), 1);
        fillAll(held);
        assertState(held, IVault.PositionState.Closed);
        assertSolvent();
    }

    function test_H18_donated_tokens_are_refused() public virtual {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        vm.expectRevert();
        tokens.safeTransferFrom(maker, account, yesId, 1, "");
        vm.prank(address(hostile), address(hostile));
        vm.expectRevert();
        tokens.safeTransferFrom(address(hostile), account, noId, 1, "");
    }

    function test_H19_approvals_serve_their_owner_alone() public {
        bytes32 key = create();
        grantOpen(key, 5_000, 5_000);
        uint256 before = tokens.balanceOf(filler, yesId);
        // The stranger has neither tokens nor USDC: nothing of those who approved is taken for it.
        vm.prank(stranger, stranger);
        vm.expectRevert();
        vault.fill(key, 600e6, 300e6, "");
        assertEq(tokens.balanceOf(filler, yesId), before, "tokens of another");
        bytes32 held = openByFill(seeded(2), alice, 5_000);
        closing(held);
        uint256 money = usdc.balanceOf(alice);
        vm.prank(stranger, stranger);
        vm.expectRevert();
        vault.fill(held, 300e6, 600e6, "");
        assertEq(usdc.balanceOf(alice), money, "USDC of a user");
    }

    // ------------------------------------------------------------ R4

    function test_R4_grant_ends_whatever_refuses() public {
        bytes32 key = openByFill();
        closing(key);
        fillGrant(key, 150e6, 300e6);
        usdc.setBlacklisted(alice, true);
        usdc.setBlacklisted(filler, true);
        usdc.setBlacklisted(address(exchange), true);
        vm.mockCallRevert(address(exchange), abi.encodePacked(exchange.getOrderStatus.selector), "");
        vm.mockCallRevert(address(exchange), abi.encodePacked(exchange.getMaxFeeRate.selector), "");
        vm.prank(vm.addr(PRICE_KEY), vm.addr(PRICE_KEY));
        vault.endGrant(key);
        assertNoGrant(key);
        assertEq(vault.positionOf(key).tokenUnits, 300e6, "booked");
        assertEq(cashOf(key), 50e6, "the user's part waits");
    }
}
