// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPositionAccount} from "../../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VenueExchange} from "../../../venue/VenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice The local exchange has the traps of a real one, and an account answers it correctly.
contract ExchangeTest is VaultFixture {
    function opening() private returns (bytes32 key, IVenueExchange.Order memory o) {
        key = create();
        o = authorizeOpen(key, 5_000);
    }

    function closing() private returns (bytes32 key, IVenueExchange.Order memory o) {
        key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 150e6, 0);
        o = authorizeSale(key, IVault.Purpose.Close, 150e6, 5_000);
    }

    function one(IVenueExchange.Order memory o) private pure returns (IVenueExchange.Order[] memory makers) {
        makers = new IVenueExchange.Order[](1);
        makers[0] = o;
    }

    function assertStatus(IVenueExchange.Order memory o, bool filled, uint256 remaining) private view {
        (bool isFilled, uint248 left) = exchange.getOrderStatus(exchange.hashOrder(o));
        assertTrue(isFilled == filled, "filled");
        assertEq(left, remaining, "remaining");
    }

    function test_mint_and_merge_matching() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        matchWith(o, one(makerOrder(noId, 0, 300e6, 600e6)), 300e6, 9e6);
        finalize(key);
        assertEq(tokensOf(key), 600e6, "minted");
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        o = authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        matchWith(o, one(makerOrder(noId, 1, 600e6, 300e6)), 600e6, 9e6);
        finalize(key);
        assertState(key, IVault.PositionState.Closed);
        assertEq(usdc.balanceOf(address(exchange)), 0, "nothing stays in the exchange");
        assertEq(usdc.balanceOf(feeReceiver), 18e6, "fees");
    }

    function test_a_direct_opening_moves_by_what_it_cost() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        uint256 cash = cashOf(key);
        matchWith(o, one(makerOrder(yesId, 1, 600e6, 290e6)), 300e6, 0);
        assertEq(cash - cashOf(key), 290e6, "the maker's price");
        assertStatus(o, false, 10e6);
        finalize(key);
        assertEq(principalOf(key), 290e6 - 96_666_667, "the loan of what was spent");
    }

    function test_a_minted_opening_moves_by_what_it_gave_at_first() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        uint256 cash = cashOf(key);
        matchWith(o, one(makerOrder(noId, 0, 310e6, 600e6)), 300e6, 0);
        assertEq(cash - cashOf(key), 290e6, "what was not needed is back");
        assertStatus(o, true, 0);
        finalize(key);
        assertEq(principalOf(key), 290e6 - 96_666_667, "the loan of what was spent");
    }

    function test_a_direct_sale_moves_by_what_its_makers_took() public {
        (bytes32 key, IVenueExchange.Order memory o) = closing();
        matchWith(o, one(makerOrder(yesId, 0, 60e6, 100e6)), 150e6, 0);
        assertStatus(o, false, 50e6);
        assertEq(cashOf(key), 60e6, "at the maker's price");
        assertEq(tokensOf(key), 500e6, "no more than the maker took");
    }

    function test_a_direct_sale_gives_no_more_than_its_fill() public {
        (, IVenueExchange.Order memory o) = closing();
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 0, 300e6, 600e6));
        vm.expectRevert(IVenueExchange.ComplementaryFillExceedsTakerFill.selector);
        matchWith(o, makers, 150e6, 0);
    }

    /// @dev The venue before its audit: the order of a quarter moves by its fill, and its maker takes all there is.
    function test_trap_loose_direct_fills_sell_what_was_not_asked() public {
        vm.prank(operator, operator);
        exchange.setTraps(false, true);
        (bytes32 key, IVenueExchange.Order memory o) = closing();
        matchWith(o, one(makerOrder(yesId, 0, 300e6, 600e6)), 150e6, 0);
        assertStatus(o, true, 0);
        assertEq(tokensOf(key), 0, "all sold");
        finalize(key);
        assertState(key, IVault.PositionState.Closed);
        assertSolvent();
    }

    function test_trap_loose_direct_fills_move_an_opening_by_more_than_it_cost() public {
        vm.prank(operator, operator);
        exchange.setTraps(false, true);
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        matchWith(o, one(makerOrder(yesId, 1, 600e6, 290e6)), 300e6, 0);
        assertStatus(o, true, 0);
        finalize(key);
        assertEq(principalOf(key), 290e6 - 96_666_667, "the loan of what was spent");
        assertSolvent();
    }

    function test_trap_ghost_fills_revert_every_match() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        vm.prank(operator, operator);
        exchange.setTraps(true, false);
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 600e6, 300e6));
        vm.expectRevert(VenueExchange.GhostFill.selector);
        matchWith(o, makers, 300e6, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
    }

    function test_trap_an_operator_pauses_an_account_at_once() public {
        (, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 600e6, 300e6));
        vm.prank(operator, operator);
        exchange.pauseByOperator(o.maker, true);
        vm.expectRevert(IVenueExchange.UserIsPaused.selector);
        matchWith(o, makers, 300e6, 0);
        vm.prank(operator, operator);
        exchange.pauseByOperator(o.maker, false);
        matchWith(o, makers, 300e6, 0);
    }

    function test_a_user_pauses_itself_a_hundred_blocks_later() public {
        (, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 300e6, 150e6));
        vm.prank(maker, maker);
        exchange.pauseUser();
        vm.prank(maker, maker);
        vm.expectRevert(IVenueExchange.UserAlreadyPaused.selector);
        exchange.pauseUser();
        vm.roll(block.number + 99);
        matchWith(o, makers, 150e6, 0);
        vm.roll(block.number + 1);
        makers[0] = makerOrder(yesId, 1, 300e6, 150e6);
        vm.expectRevert(IVenueExchange.UserIsPaused.selector);
        matchWith(o, makers, 150e6, 0);
        vm.prank(maker, maker);
        exchange.unpauseUser();
        matchWith(o, makers, 150e6, 0);
        assertStatus(o, true, 0);
    }

    function test_fees_amounts_and_operators() public {
        (, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 600e6, 300e6));
        uint256[] memory fills = new uint256[](1);
        fills[0] = 600e6;
        vm.prank(stranger, stranger);
        vm.expectRevert(IVenueExchange.NotOperator.selector);
        exchange.matchOrders(conditionId, o, makers, 300e6, fills, 0, new uint256[](1));
        vm.expectRevert(IVenueExchange.FeeExceedsMaxRate.selector);
        matchWith(o, makers, 300e6, 30e6 + 1);
        vm.expectRevert(IVenueExchange.ComplementaryFillExceedsTakerFill.selector);
        matchWith(o, makers, 299e6, 0);
        matchWith(o, makers, 300e6, 0);
        vm.expectRevert(IVenueExchange.OrderAlreadyFilled.selector);
        matchWith(o, makers, 300e6, 0);
        vm.startPrank(operator, operator);
        vm.expectRevert(IVenueExchange.MismatchedArrayLengths.selector);
        exchange.matchOrders(conditionId, o, makers, 300e6, new uint256[](2), 0, new uint256[](1));
        vm.expectRevert(IVenueExchange.NoMakerOrders.selector);
        exchange.matchOrders(conditionId, o, new IVenueExchange.Order[](0), 1, new uint256[](0), 0, new uint256[](0));
        vm.stopPrank();
    }

    function test_signatures() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 600e6, 300e6));
        makers[0].salt += 1;
        vm.expectRevert(IVenueExchange.InvalidSignature.selector);
        matchWith(o, makers, 300e6, 0);
        makers[0].salt -= 1;
        o.signature = "";
        vm.expectRevert(IVenueExchange.InvalidSignature.selector);
        matchWith(o, makers, 300e6, 0);
        o.signature = hex"01";
        skip(121);
        vm.expectRevert(IVenueExchange.InvalidSignature.selector);
        matchWith(o, makers, 300e6, 0);
        IPositionAccount account = IPositionAccount(vault.accountOf(key));
        assertEq(account.positionKey(), key, "its key");
        assertTrue(account.isValidSignature(exchange.hashOrder(o), "") == bytes4(0xffffffff), "expired order");
    }

    function test_account_answers_for_its_live_order_only_and_ignores_signature_bytes() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        IPositionAccount account = IPositionAccount(vault.accountOf(key));
        bytes32 orderHash = exchange.hashOrder(o);
        assertTrue(account.isValidSignature(orderHash, hex"1234") == bytes4(0x1626ba7e), "live");
        assertTrue(account.isValidSignature(keccak256("other"), "") == bytes4(0xffffffff), "another hash");
        assertTrue(account.isValidSignature(bytes32(0), "") == bytes4(0xffffffff), "zero");
    }

    function test_preapproval_survives_and_can_be_taken_back() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        bytes32 orderHash = exchange.hashOrder(o);
        o = preapproved(o);
        skip(121);
        matchWith(o, one(makerOrder(yesId, 1, 300e6, 150e6)), 150e6, 0);
        vm.prank(operator, operator);
        exchange.invalidatePreapprovedOrder(orderHash);
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 300e6, 150e6));
        vm.expectRevert(IVenueExchange.InvalidSignature.selector);
        matchWith(o, makers, 150e6, 0);
        finalize(key);
        assertEq(vault.positionOf(key).tokenUnits, 300e6, "what was filled while the allowance stood counts");
        assertEq(principalOf(key), 100e6, "at its share");
    }

    function test_preapproval_needs_a_signature_that_is_valid_now() public {
        (, IVenueExchange.Order memory o) = opening();
        skip(121);
        vm.prank(operator, operator);
        vm.expectRevert(IVenueExchange.InvalidSignature.selector);
        exchange.preapproveOrder(o);
    }

    function test_tokens_and_prices_must_fit() public {
        (, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(noId, 1, 600e6, 300e6));
        vm.expectRevert(IVenueExchange.MismatchedTokenIds.selector);
        matchWith(o, makers, 300e6, 0);
        makers = one(makerOrder(yesId, 0, 300e6, 600e6));
        vm.expectRevert(IVenueExchange.MismatchedTokenIds.selector);
        matchWith(o, makers, 300e6, 0);
        makers = one(makerOrder(yesId, 1, 600e6, 300e6 + 1));
        vm.expectRevert(IVenueExchange.NotCrossing.selector);
        matchWith(o, makers, 300e6, 0);
        makers = one(makerOrder(noId, 0, 300e6 - 1, 600e6));
        vm.expectRevert(IVenueExchange.NotCrossing.selector);
        matchWith(o, makers, 300e6, 0);
        (, uint256 otherYes, ) = prepareMarket(keccak256("other"));
        makers = one(makerOrder(otherYes, 1, 600e6, 300e6));
        vm.expectRevert(IVenueExchange.MismatchedTokenIds.selector);
        matchWith(o, makers, 300e6, 0);
    }

    function test_settings_of_the_exchange() public {
        vm.startPrank(owner, owner);
        exchange.addOperator(bob);
        exchange.setFeeReceiver(bob);
        exchange.setMaxFeeRate(9_999);
        vm.expectRevert(VenueExchange.MaxFeeRateExceedsCeiling.selector);
        exchange.setMaxFeeRate(10_000);
        vm.stopPrank();
        assertTrue(exchange.isOperator(bob), "operator");
        assertEq(exchange.getFeeReceiver(), bob, "receiver");
        assertEq(exchange.getMaxFeeRate(), 9_999, "rate");
        vm.prank(owner, owner);
        exchange.removeOperator(bob);
        assertTrue(!exchange.isOperator(bob), "no operator");
        vm.expectRevert();
        exchange.addOperator(alice);
    }
}
