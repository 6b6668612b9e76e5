// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Edges of an order that a change by one unit, pip or second would move.
contract OrderEdgesTest is VaultFixture {
    function test_a_liquidation_price_equal_to_the_users_maximum_is_accepted() public {
        IVault.CreateRequest memory r = request();
        r.maxLiquidationPricePips = 3_633;
        bytes32 key = create(r, alice);
        authorize(key, orderOf(key, 0, 300e6, 600e6), attestation(IVault.Purpose.Open, 5_000, 5_000));
        assertEq(vault.liveOrderOf(key).makerAmount, 300e6, "authorised");
    }

    function test_an_order_is_live_in_its_last_second_and_not_after() public {
        bytes32 key = create();
        bytes32 orderHash = exchange.hashOrder(authorizeOpen(key, 5_000));
        skip(120);
        assertTrue(vault.isLiveOrder(key, orderHash), "last second");
        skip(1);
        assertTrue(!vault.isLiveOrder(key, orderHash), "over");
    }

    function test_a_fee_budget_that_just_reaches_is_enough() public {
        bytes32 key = create();
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        a.venueFeeBps = 400;
        authorize(key, orderOf(key, 0, 300e6, 600e6), a);
        assertEq(vault.liveOrderOf(key).makerAmount, 300e6, "4 % of 300 USD are the 12 USD there are");
    }

    function test_a_position_opens_at_99_percent_of_the_mark_and_not_above() public {
        bytes32 key = create(requestOf(seedOf(9), 100e6, 100_000), alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 999_999_000, 1_111_110_000);
        vm.expectRevert(abi.encodeWithSelector(IVault.UnhealthyAtOpening.selector, 8_829, 8_828));
        authorize(key, o, attestation(IVault.Purpose.Open, 8_918, 9_000));
        authorize(key, o, attestation(IVault.Purpose.Open, 8_919, 9_000));
        assertEq(vault.liveOrderOf(key).makerAmount, 999_999_000, "8,919 allows 8,829.81");
    }

    function test_an_order_may_never_pull_the_origination_fee() public {
        (bytes32 key, IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = createInParts();
        liftFeeRate();
        fillWhole(o, 4e6);
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        address account = vault.accountOf(key);
        assertEq(usdc.balanceOf(account), 211e6, "315 USD less 104");
        assertEq(usdc.allowance(account, address(exchange)), 208e6, "three of them are the origination fee");
    }

    /// @dev The venue's operator fills an older order beside the newer one: more is spent than all fills explain, and
    /// less is left than the next order could pull.
    function test_W7_allows_the_trading_cash_at_most() public {
        (bytes32 key, IVenueExchange.Order memory older, IVault.PriceAttestation memory a) = createInParts();
        older = preapproved(older);
        a.venueFeeBps = 0;
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        fillWhole(older, 0);
        authorize(key, orderOf(key, 0, 300e6, 600e6), a);
        address account = vault.accountOf(key);
        assertEq(vault.positionOf(key).filledUsdcUnits, 0, "no fill is reported");
        assertEq(usdc.balanceOf(account), 215e6, "315 USD less the 100 of the older order");
        assertEq(usdc.allowance(account, address(exchange)), 212e6, "three of them are the origination fee");
    }

    /// @dev A buffer of 15 % is fixed by the first order; the second attests none, and no position of its own.
    function test_W7_checks_a_later_opening_with_the_first_buffer() public {
        IVault.CreateRequest memory r = requestOf(seedOf(9), 100e6, 50_000);
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        a.exitBufferBps = 1_500;
        IVenueExchange.Order memory o = orderOf(key, 0, 250e6, 500e6);
        authorize(key, o, a);
        fillWhole(o, 5e6);
        a.exitBufferBps = 0;
        a.limitPips = 6_000;
        // 400 USD of loan and 917 tokens: 5,059 with the buffer of 15 %, 4,405 without.
        o = orderOf(key, 0, 250e6, 417e6);
        vm.expectRevert(abi.encodeWithSelector(IVault.UnhealthyAtOpening.selector, 5_059, 4_950));
        authorize(key, o, a);
        a.limitPips = 5_000;
        authorize(key, orderOf(key, 0, 250e6, 500e6), a);
    }

    function test_a_rest_of_exactly_a_hundredth_of_a_token_is_too_small_to_leave() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 6_000, 6_000);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6 - 10_000, 360e6 - 6_000);
        vm.expectRevert(IVault.RemainderTooSmall.selector);
        authorize(key, o, a);
        authorize(key, orderOf(key, 1, 600e6 - 9_999, 360e6 - 5_999), a);
        assertEq(vault.liveOrderOf(key).makerAmount, 600e6 - 9_999, "less than that may be left");
    }

    function test_an_order_may_be_authorised_for_this_very_second() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        bytes32 orderHash = exchange.hashOrder(o);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        bytes memory signature = signAttestation(a);
        vm.prank(keeper, keeper);
        vault.authorizeOrder(key, IVault.Purpose.Open, o, uint64(block.timestamp), a, signature);
        assertTrue(vault.isLiveOrder(key, orderHash), "now");
        skip(1);
        assertTrue(!vault.isLiveOrder(key, orderHash), "and not later");
    }

    /// @dev At 99.99 cents the band of 20 % is 1,999.8 pips.
    function test_a_limit_two_thousand_pips_from_the_mark_is_outside_the_band() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 480e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 9_999, 7_999);
        vm.expectRevert(IVault.AttestationPriceOutOfRange.selector);
        authorize(key, o, a);
        authorize(key, o, attestation(IVault.Purpose.Close, 9_999, 8_000));
        assertEq(vault.liveOrderOf(key).makerAmount, 600e6, "1,999 are inside");
    }

    function test_order_of_another_account_is_refused_by_this_one() public {
        bytes32 mine = create();
        bytes32 other = create(seeded(2), bob);
        IVenueExchange.Order memory o = orderOf(other, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        vm.expectRevert(IVault.OrderMismatch.selector);
        authorize(mine, o, a);
        authorize(other, o, a);
        bytes32 orderHash = exchange.hashOrder(o);
        authorize(mine, orderOf(mine, 0, 300e6, 600e6), a);
        assertTrue(!vault.isLiveOrder(mine, orderHash), "a hash lives in one account");
    }

    function test_price_of_a_fork_is_no_price_here() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        bytes memory signature = signAttestation(a);
        vm.chainId(999);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeOrder(key, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
    }

    /// @dev A margin of five tokens' worth in front of an unwind sized to the bound makes its authorisation fail.
    function test_limit_margin_in_front_of_an_unwind_refuses_it() public {
        bytes32 key = open();
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        uint256 maximum = uint256(200e6) * 1e8 / (uint256(5_000) * 9_650) + 1 + 5e6;
        IVenueExchange.Order memory o = orderOf(key, 1, maximum, maximum / 2 + 1);
        vm.prank(alice, alice);
        vault.addMargin(key, 1);
        vm.expectRevert(IVault.OrderAmountOutOfRange.selector);
        authorize(key, o, a);
    }
}
