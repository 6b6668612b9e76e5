// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPositionAccount} from "../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VenueExchange} from "../../venue/VenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice The local exchange has the traps of a real one, and an account answers it correctly.
contract ExchangeTest is VaultFixture {
    function opening() private returns (bytes32 key, IVenueExchange.Order memory o) {
        key = create();
        o = authorizeOpen(key, 5_000);
    }

    function one(IVenueExchange.Order memory o) private pure returns (IVenueExchange.Order[] memory makers) {
        makers = new IVenueExchange.Order[](1);
        makers[0] = o;
    }

    function test_mint_and_merge_matching() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        matchWith(o, one(makerOrder(noId, 0, 300e6, 600e6)), 300e6, 600e6, 9e6);
        finalize(key);
        assertEq(tokensOf(key), 600e6, "minted");
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        o = authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        matchWith(o, one(makerOrder(noId, 1, 600e6, 300e6)), 600e6, 300e6, 9e6);
        finalize(key);
        assertState(key, IVault.PositionState.Closed);
        assertEq(usdc.balanceOf(address(exchange)), 0, "nothing stays in the exchange");
        assertEq(usdc.balanceOf(feeReceiver), 18e6, "fees");
    }

    function test_amounts_are_exact_or_the_match_reverts() public {
        (, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 600e6, 290e6));
        vm.expectRevert(VenueExchange.AmountsNotExact.selector);
        matchWith(o, makers, 300e6, 600e6, 0);
        matchWith(o, makers, 290e6, 600e6, 0);
        (bool filled, uint248 remaining) = exchange.getOrderStatus(exchange.hashOrder(o));
        assertTrue(!filled && remaining == 10e6, "status in units given");
    }

    function test_operator_fee_pause_and_price_traps() public {
        (, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 600e6, 300e6));
        uint256[] memory fills = new uint256[](1);
        fills[0] = 600e6;
        vm.prank(stranger, stranger);
        vm.expectRevert(VenueExchange.NotOperator.selector);
        exchange.matchOrders(o, makers, 300e6, 600e6, fills, 0, new uint256[](1));
        vm.expectPartialRevert(VenueExchange.FeeTooHigh.selector);
        matchWith(o, makers, 300e6, 600e6, 30e6 + 1);
        vm.expectPartialRevert(VenueExchange.PriceTooPoor.selector);
        matchWith(o, makers, 300e6, 599e6, 0);
        vm.expectPartialRevert(VenueExchange.FillTooLarge.selector);
        matchWith(o, makers, 300e6 + 1, 600e6 + 2, 0);
        address account = o.maker;
        vm.prank(operator, operator);
        exchange.pauseUser(account, true);
        vm.expectPartialRevert(VenueExchange.UserIsPaused.selector);
        matchWith(o, makers, 300e6, 600e6, 0);
        vm.prank(operator, operator);
        exchange.pauseUser(account, false);
        matchWith(o, makers, 300e6, 600e6, 0);
        vm.expectPartialRevert(VenueExchange.OrderFilledAlready.selector);
        matchWith(o, makers, 300e6, 600e6, 0);
        vm.prank(operator, operator);
        vm.expectRevert(VenueExchange.LengthMismatch.selector);
        exchange.matchOrders(o, makers, 300e6, 600e6, new uint256[](2), 0, new uint256[](1));
    }

    function test_signatures() public {
        (bytes32 key, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 600e6, 300e6));
        makers[0].salt += 1;
        vm.expectPartialRevert(VenueExchange.InvalidSignature.selector);
        matchWith(o, makers, 300e6, 600e6, 0);
        makers[0].salt -= 1;
        skip(121);
        vm.expectPartialRevert(VenueExchange.InvalidSignature.selector);
        matchWith(o, makers, 300e6, 600e6, 0);
        IPositionAccount account = IPositionAccount(vault.accountOf(key));
        assertEq(account.positionKey(), key, "its key");
        assertTrue(account.isValidSignature(exchange.hashOrder(o), "") == bytes4(0xffffffff), "dead order");
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
        vm.prank(operator, operator);
        exchange.preapproveOrder(o);
        skip(121);
        matchWith(o, one(makerOrder(yesId, 1, 300e6, 150e6)), 150e6, 300e6, 0);
        vm.prank(operator, operator);
        exchange.invalidatePreapprovedOrder(orderHash);
        IVenueExchange.Order[] memory makers = one(makerOrder(yesId, 1, 300e6, 150e6));
        vm.expectPartialRevert(VenueExchange.InvalidSignature.selector);
        matchWith(o, makers, 150e6, 300e6, 0);
        finalize(key);
        assertEq(vault.positionOf(key).tokenUnits, 300e6, "what was filled while the allowance stood counts");
        assertEq(principalOf(key), 100e6, "at its share");
    }

    function test_tokens_must_fit() public {
        (, IVenueExchange.Order memory o) = opening();
        IVenueExchange.Order[] memory makers = one(makerOrder(noId, 1, 600e6, 300e6));
        vm.expectRevert(VenueExchange.OrdersDoNotMatch.selector);
        matchWith(o, makers, 300e6, 600e6, 0);
        makers = one(makerOrder(yesId, 0, 300e6, 600e6));
        vm.expectRevert(VenueExchange.OrdersDoNotMatch.selector);
        matchWith(o, makers, 300e6, 600e6, 0);
    }

    function test_settings_of_the_exchange() public {
        vm.startPrank(owner, owner);
        exchange.setOperator(bob, true);
        exchange.setFeeRecipient(bob);
        vm.stopPrank();
        assertTrue(exchange.isOperator(bob), "operator");
        assertEq(exchange.feeRecipient(), bob, "recipient");
        vm.expectRevert();
        exchange.setOperator(alice, true);
    }
}
