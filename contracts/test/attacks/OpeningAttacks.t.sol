// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice Attacks on an opening; each fails here.
contract OpeningAttacksTest is VaultFixture {
    function test_attack_opening_at_a_worthless_price_with_min_tokens_zero() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 301e6);
        vm.expectRevert(IVault.OrderPriceTooPoor.selector);
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_050));
        vm.expectRevert(IVault.AttestationPriceOutOfRange.selector);
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 9_970));
    }

    function test_attack_stale_order_filled_after_revoke_through_preapproval() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        IVenueExchange.Order memory o = preapproved(authorizeOpen(key, 5_000));
        finalize(key);
        assertEq(usdc.balanceOf(alice), before, "refunded");
        usdc.mint(vault.accountOf(key), 1_000e6);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(yesId, 1, 600e6, 300e6);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(exchange), 0, 300e6)
        );
        matchWith(o, makers, 300e6, 0);
    }

    function test_attack_gross_status_underflows_the_fee_split() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(noId, 0, 330e6, 600e6);
        matchWith(o, makers, 300e6, 9e6);
        assertEq(cashOf(key), 300e6 + 15e6 - 270e6 - 9e6, "the mint cost 270, the status says 300");
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(principalOf(key), 279e6 - 93e6, "split by what was spent");
        assertSolvent();
    }

    function test_attack_donation_of_one_unit_bricks_a_refund() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        authorizeOpen(key, 5_000);
        usdc.mint(vault.accountOf(key), 1);
        finalize(key);
        assertEq(usdc.balanceOf(alice), before + 1, "refund and donation");
        assertSolvent();
    }

    function test_attack_fee_above_budget_at_a_better_price() public {
        liftFeeRate();
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        uint256 before = usdc.balanceOf(alice);
        fill(o, 280e6, 600e6, 28e6);
        finalize(key);
        uint256 trade = 280e6;
        uint256 share = (100e6 * trade + 300e6 - 1) / 300e6;
        assertEq(principalOf(key), 308e6 - 112e6, "the overrun beyond the user's own money");
        assertGe(principalOf(key), trade - share, "never less than the honest share");
        assertEq(usdc.balanceOf(alice) - before, 3e6 - 2_800_000, "nothing but the unused origination fee");
        assertSolvent();
    }

    function test_attack_atomic_fill_unreachable_at_100_percent() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 296_999_999, 600e6);
        vm.expectRevert(IVault.OrderAmountOutOfRange.selector);
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
        o = orderOf(key, 0, 297e6, 594e6);
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
        fillWhole(o, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
    }

    function test_attack_position_opened_liquidatable() public {
        bytes32 key = create(requestOf(seedOf(7), 100e6, 100_000), alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 1_000e6, 2_000e6);
        vm.expectPartialRevert(IVault.UnhealthyAtOpening.selector);
        authorize(key, o, attestation(IVault.Purpose.Open, 4_900, 5_000));
    }

    function test_attack_order_at_a_high_limit_is_unhealthy_at_opening_for_the_user() public {
        IVault.CreateRequest memory r = request();
        r.maxLiquidationPricePips = 3_632;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        vm.expectRevert(abi.encodeWithSelector(IVault.UnhealthyAtOpening.selector, 3_633, 3_632));
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    function test_attack_user_locked_in_after_a_fill_when_the_keeper_is_gone() public {
        bytes32 key = create();
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        skip(121);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        assertState(key, IVault.PositionState.Open);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(tokens.balanceOf(alice, yesId), 600e6, "out, without a keeper");
    }

    function test_attack_user_kills_a_matched_order() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        vm.prank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderLive.selector, block.timestamp + 120));
        vault.finalize(key);
        fillWhole(o, 9e6);
        finalize(key);
        assertState(key, IVault.PositionState.Open);

        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        o = authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        vm.startPrank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderLive.selector, block.timestamp + 60));
        vault.exitByRepaying(key, alice);
        vault.requestClose(key, 0, 0);
        vault.addMargin(key, 1e6);
        vm.stopPrank();
        fillWhole(o, 0);
        finalize(key);
        assertState(key, IVault.PositionState.Closed);
    }

    function test_attack_token_and_market_mismatch() public {
        (bytes32 other, uint256 otherYes, ) = prepareMarket(keccak256("other"));
        vault.registerOutcome(oracle, keccak256("other"), 1);
        IVault.CreateRequest memory r = request();
        r.venueMarketId = other;
        bytes memory signature = signQuote(r, alice);
        vm.prank(alice, alice);
        vm.expectRevert(IVault.UnknownOutcome.selector);
        vault.createPosition(r, signature);
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        a.tokenId = otherYes;
        vm.expectRevert(IVault.AttestationMismatch.selector);
        authorize(key, o, a);
        o.tokenId = otherYes;
        vm.expectRevert(IVault.OrderMismatch.selector);
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    function test_attack_order_hash_counted_twice() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        authorize(key, o, a);
        fill(o, 100e6, 200e6, 0);
        bytes32 orderHash = exchange.hashOrder(o);
        IVenueExchange.Order memory tooLarge = orderOf(key, 0, 200e6 + 1, 401e6);
        vm.expectRevert(IVault.OrderAmountOutOfRange.selector);
        authorize(key, tooLarge, a);
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderUsed.selector, orderHash));
        authorize(key, o, a);
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        assertEq(vault.positionOf(key).filledUsdcUnits, 100e6, "counted once");
        finalize(key);
        assertEq(vault.positionOf(key).tokenUnits, 200e6, "tokens");
        assertEq(principalOf(key), 100e6 - 33_333_334, "split of the one fill");
    }

    function test_attack_exchange_answers_that_revert_or_make_no_sense() public {
        bytes[5] memory answers = [
            bytes(""),
            hex"01",
            abi.encode(true, 5),
            abi.encode(uint256(77), type(uint256).max),
            abi.encode(false, type(uint256).max)
        ];
        for (uint128 i = 0; i < answers.length; ++i) {
            bytes32 key = create(seeded(i + 1), alice);
            fillWhole(authorizeOpen(key, 5_000), 9e6);
            vm.mockCall(address(exchange), abi.encodeWithSelector(IVenueExchange.getOrderStatus.selector), answers[i]);
            finalize(key);
            vm.clearMockedCalls();
            assertState(key, IVault.PositionState.Open);
            assertAllowancesOff(key);
            assertSolvent();
        }
        bytes32 last = create(seeded(99), alice);
        fillWhole(authorizeOpen(last, 5_000), 9e6);
        vm.mockCallRevert(address(exchange), abi.encodeWithSelector(IVenueExchange.getOrderStatus.selector), "no");
        finalize(last);
        vm.clearMockedCalls();
        assertState(last, IVault.PositionState.Open);
        assertEq(principalOf(last), 309e6 - 112e6, "without a status own money pays first");
        assertSolvent();
    }

    function test_attack_tokens_given_to_an_account_without_code_open_nothing() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        tokens.safeTransferFrom(maker, account, yesId, 20_000, "");
        authorizeOpen(key, 5_000);
        finalize(key);
        assertState(key, IVault.PositionState.Reverted);
        assertEq(usdc.balanceOf(alice), before, "refunded");
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(tokens.balanceOf(alice, yesId), 20_000, "the donation is the user's");
        assertSolvent();
    }
}
