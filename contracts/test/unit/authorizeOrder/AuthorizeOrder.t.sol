// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {OrderFixture} from "../../fixtures/OrderFixture.sol";

/// @notice Every check of an order that an opening and a sale have in common.
contract AuthorizeOrderTest is OrderFixture {
    function test_identity_of_an_order() public {
        for (uint256 i = 0; i < 6; ++i) {
            (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
            if (i == 0) o.maker = alice;
            if (i == 1) o.signer = alice;
            if (i == 2) o.tokenId = noId;
            if (i == 3) o.side = 1;
            if (i == 4) o.signatureType = 0;
            if (i == 5) o.maker = o.signer = vault.accountOf(held);
            refuse(pending, o, a, IVault.OrderMismatch.selector);
        }
        (IVenueExchange.Order memory buy, ) = opening();
        (, IVault.PriceAttestation memory sale) = closing();
        buy.maker = buy.signer = vault.accountOf(held);
        refuse(held, buy, sale, IVault.OrderMismatch.selector);
    }

    function test_validity_of_an_order() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        bytes memory signature = signAttestation(a);
        uint64[2] memory wrong = [uint64(block.timestamp - 1), uint64(block.timestamp + 121)];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(keeper, keeper);
            vm.expectRevert(IVault.OrderValidityOutOfRange.selector);
            vault.authorizeOrder(pending, IVault.Purpose.Open, o, wrong[i], a, signature);
        }
        vm.prank(keeper, keeper);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 120), a, signature);
        (o, a) = closing();
        signature = signAttestation(a);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.OrderValidityOutOfRange.selector);
        vault.authorizeOrder(held, IVault.Purpose.Close, o, uint64(block.timestamp + 61), a, signature);
    }

    function test_amounts_of_an_order() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        o.makerAmount = 0;
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (300e6, 0);
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (300e6, uint256(type(uint48).max) + 1);
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (300e6 + 1, 600e6 + 2);
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
        (o.makerAmount, o.takerAmount) = (uint256(type(uint48).max) + 1, 600e6);
        refuse(pending, o, a, IVault.OrderAmountOutOfRange.selector);
    }

    function test_orders_need_the_state_of_their_purpose() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        refuse(held, o, a, IVault.WrongState.selector);
        (o, a) = closing();
        refuse(pending, o, a, IVault.WrongState.selector);
        a.purpose = 0;
        refuse(held, o, a, IVault.WrongState.selector);
        refuse(bytes32(uint256(404)), o, a, IVault.WrongState.selector);
    }

    function test_a_new_order_books_the_old_sale_first() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = closing();
        authorize(held, o, a);
        fillWhole(o, 0);
        IVenueExchange.Order memory next = orderOf(held, 1, 100e6, 50e6);
        refuse(held, next, a, IVault.CloseNotRequested.selector);
        a.purpose = uint8(IVault.Purpose.Unwind);
        authorize(held, next, a);
        assertEq(vault.positionOf(held).tokenUnits, 300e6, "booked");
        assertEq(principalOf(held), 100e6, "under its own purpose");
    }

    function test_live_order_views() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        assertEq(vault.liveOrderOf(pending).orderHash, 0, "none");
        bytes32 orderHash = authorize(pending, o, a);
        assertEq(orderHash, exchange.hashOrder(o), "the exchange's hash");
        IVault.LiveOrder memory live = vault.liveOrderOf(pending);
        assertEq(live.orderHash, orderHash, "hash");
        assertEq(live.makerAmount, 300e6, "amount");
        assertEq(live.validUntil, block.timestamp + 120, "until");
        assertTrue(vault.isLiveOrder(pending, orderHash) && !vault.isLiveOrder(held, orderHash), "its own only");
        assertTrue(!vault.isLiveOrder(pending, bytes32(0)) && !vault.isLiveOrder(held, bytes32(0)), "never zero");
        skip(121);
        assertTrue(!vault.isLiveOrder(pending, orderHash), "expired after its time");
        finalize(pending);
        assertEq(vault.liveOrderOf(pending).orderHash, 0, "ended");
    }

    function test_allowance_is_exactly_order_and_fee() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        (o.makerAmount, o.takerAmount) = (298e6, 596e6);
        authorize(pending, o, a);
        address account = vault.accountOf(pending);
        assertEq(usdc.allowance(account, address(exchange)), 310e6, "makerAmount + venueFee");
        assertTrue(!tokens.isApprovedForAll(account, address(exchange)), "no tokens for a buy");
        (o, a) = closing();
        authorize(held, o, a);
        account = vault.accountOf(held);
        assertEq(usdc.allowance(account, address(exchange)), 0, "no USDC for a sale");
        assertTrue(tokens.isApprovedForAll(account, address(exchange)), "tokens for a sale");
    }
}
