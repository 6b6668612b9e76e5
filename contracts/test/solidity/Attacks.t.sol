// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IPositionAccount} from "../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {TestUsdc} from "../../venue/TestUsdc.sol";
import {VenueExchange} from "../../venue/VenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice A user that cannot take outcome tokens.
contract RefusingUser {
    function approve(address usdc, address vault) external {
        (bool done, ) = usdc.call(abi.encodeWithSignature("approve(address,uint256)", vault, type(uint256).max));
        require(done);
    }

    function call(address target, bytes calldata data) external returns (bytes memory) {
        (bool done, bytes memory answer) = target.call(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }
}

/// @notice Every attack that was found on the first draft, and some found later: each fails here.
contract AttacksTest is VaultFixture {
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
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        vm.prank(operator, operator);
        exchange.preapproveOrder(o);
        finalize(key);
        assertEq(usdc.balanceOf(alice), before, "refunded");
        usdc.mint(vault.accountOf(key), 1_000e6);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(yesId, 1, 600e6, 300e6);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(exchange), 0, 300e6)
        );
        matchWith(o, makers, 300e6, 600e6, 0);
    }

    function test_attack_stale_sale_filled_after_revoke_through_preapproval() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000);
        vm.prank(operator, operator);
        exchange.preapproveOrder(o);
        finalize(key);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(yesId, 0, 300e6, 600e6);
        vm.expectRevert(bytes("ERC1155: need operator approval for 3rd party transfers."));
        matchWith(o, makers, 600e6, 300e6, 0);
        assertEq(tokensOf(key), 600e6, "tokens still there");
    }

    function test_attack_gross_status_underflows_the_fee_split() public {
        vm.prank(operator, operator);
        exchange.setGrossStatus(true);
        bytes32 key = create();
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(noId, 0, 330e6, 600e6);
        matchWith(o, makers, 300e6, 600e6, 9e6);
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
        assertEq(usdc.balanceOf(alice), before + 1, "refund and gift");
        assertSolvent();
    }

    function test_attack_fee_above_budget_at_a_better_price() public {
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

    function test_attack_position_born_liquidatable() public {
        bytes32 key = create(requestOf(bytes16(uint128(7) << 100), 100e6, 100_000), alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 1_000e6, 2_000e6);
        vm.expectPartialRevert(IVault.BornUnhealthy.selector);
        authorize(key, o, attestation(IVault.Purpose.Open, 4_900, 5_000));
    }

    function test_attack_order_at_a_high_limit_is_born_unhealthy_for_the_user() public {
        IVault.CreateRequest memory r = request();
        r.maxLiquidationPricePips = 3_632;
        bytes32 key = create(r, alice);
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        vm.expectRevert(abi.encodeWithSelector(IVault.BornUnhealthy.selector, 3_633, 3_632));
        authorize(key, o, attestation(IVault.Purpose.Open, 5_000, 5_000));
    }

    function test_attack_user_locked_in_after_a_fill_when_the_keeper_dies() public {
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

    function test_attack_keeper_takes_band_and_builder_fees_by_needless_unwinds() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = orderOf(key, 1, 400e6, 200e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        a.triggerPips = 3_334;
        vm.expectRevert(IVault.NotTriggered.selector);
        authorize(key, o, a);
        a.triggerPips = 3_333;
        o.builder = bytes32("a friend of the keeper");
        vm.expectRevert(abi.encodeWithSelector(IVault.BuilderNotAllowed.selector, o.builder));
        authorize(key, o, a);
        o.builder = bytes32("builder");
        authorize(key, o, a);
    }

    function test_attack_unwind_sells_more_than_the_debt_needs() public {
        bytes32 key = open();
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        uint256 most = uint256(200e6) * 1e8 / (uint256(5_000) * 9_650) + 1 + 5e6;
        IVenueExchange.Order memory o = orderOf(key, 1, most + 1, most);
        vm.expectRevert(IVault.OrderAmountOutOfRange.selector);
        authorize(key, o, a);
        authorize(key, orderOf(key, 1, most, most), a);
    }

    function test_attack_providers_leave_between_collapse_and_liquidation() public {
        uint256 shares = pool.balanceOf(lp);
        vm.startPrank(lp, lp);
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxRedeem.selector, lp, shares, 0));
        pool.redeem(shares, lp, lp);
        pool.requestRedeem(shares);
        skip(24 hours - 1);
        assertEq(pool.maxRedeem(lp), 0, "not yet");
        skip(1);
        assertGe(pool.maxRedeem(lp), 1, "now");
        skip(24 hours + 1);
        assertEq(pool.maxRedeem(lp), 0, "no standing exit");
        vm.stopPrank();
    }

    function test_attack_pool_locked_for_free_by_unopened_positions() public {
        uint256 free = pool.freeLiquidity();
        for (uint128 i = 1; i < 20; ++i) create(requestOf(bytes16(i << 100), 1_000e6, 50_000), alice);
        assertEq(pool.freeLiquidity(), free, "nothing is held for them");
    }

    /// @dev Barred before the first fee is owed: openings, a sale, a repaid exit and a liquidation all give it a cut.
    function test_attack_one_blacklisted_treasury_stops_all_payouts() public {
        usdc.setBlacklisted(treasury, true);
        bytes32 sold = open();
        bytes32 repaid = open(requestOf(bytes16(uint128(2) << 100), 100e6, 30_000), bob, 5_000);
        bytes32 liquidated = open(requestOf(bytes16(uint128(3) << 100), 200e6, 30_000), bob, 5_000);
        // The reserve is full, so the origination fees of 3, 3 and 6 USD are all the treasury's.
        uint256 owed = 12e6;
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, owed, "origination");
        skip(30 days);
        uint256[3] memory cuts = [cutOf(sold), cutOf(repaid), cutOf(liquidated)];
        assertEq(cuts[0], 328_767, "a fifth of 30 days at 10 % a year on 200 USD, floor");
        closeAll(sold, 6_000);
        assertState(sold, IVault.PositionState.Closed);
        assertTreasuryWaits(owed += cuts[0]);
        vm.prank(bob, bob);
        vault.exitByRepaying(repaid, bob);
        assertState(repaid, IVault.PositionState.Closed);
        assertTreasuryWaits(owed += cuts[1]);
        sell(liquidated, IVault.Purpose.Liquidate, 1_200e6, 3_600);
        assertState(liquidated, IVault.PositionState.Liquidated);
        assertTreasuryWaits(owed += cuts[2]);
        usdc.setBlacklisted(treasury, false);
        assertEq(pool.payTreasury(), owed, "pulled later");
        assertEq(usdc.balanceOf(treasury), owed, "to the unit");
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, 0, "and owed no more");
        assertSolvent();
    }

    /// @dev The treasury's part of the lifetime fees owed now, floor.
    function cutOf(bytes32 key) private view returns (uint256) {
        (, uint256 fees) = vault.debtOf(key);
        return (fees * 2_000) / 10_000;
    }

    function assertTreasuryWaits(uint256 owed) private {
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.Blacklisted.selector, treasury));
        pool.payTreasury();
        assertEq(pool.bookOf().treasuryOwedUsdcUnits, owed, "owed");
        assertEq(usdc.balanceOf(treasury), 0, "nothing got through");
        assertSolvent();
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
        vm.expectRevert(abi.encodeWithSelector(IVault.OrderTouched.selector, orderHash));
        authorize(key, o, a);
        authorize(key, orderOf(key, 0, 200e6, 400e6), a);
        assertEq(vault.positionOf(key).filledUsdcUnits, 100e6, "counted once");
        finalize(key);
        assertEq(vault.positionOf(key).tokenUnits, 200e6, "tokens");
        assertEq(principalOf(key), 100e6 - 33_333_334, "split of the one fill");
    }

    function test_attack_remainders_under_five_tokens() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 595_000_001, 300e6);
        vm.expectRevert(IVault.RemainderTooSmall.selector);
        authorize(key, o, attestation(IVault.Purpose.Close, 5_000, 5_000));
        vm.prank(alice, alice);
        vm.expectRevert(IVault.CloseOutOfRange.selector);
        vault.requestClose(key, 595_000_001, 0);
        authorize(key, orderOf(key, 1, 599_990_001, 300e6), attestation(IVault.Purpose.Close, 5_000, 5_000));
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
            bytes32 key = create(requestOf(bytes16((i + 1) << 100), 100e6, 30_000), alice);
            fillWhole(authorizeOpen(key, 5_000), 9e6);
            vm.mockCall(address(exchange), abi.encodeWithSelector(IVenueExchange.getOrderStatus.selector), answers[i]);
            finalize(key);
            vm.clearMockedCalls();
            assertState(key, IVault.PositionState.Open);
            assertAllowancesOff(key);
            assertSolvent();
        }
        bytes32 last = create(requestOf(bytes16(uint128(99) << 100), 100e6, 30_000), alice);
        fillWhole(authorizeOpen(last, 5_000), 9e6);
        vm.mockCallRevert(address(exchange), abi.encodeWithSelector(IVenueExchange.getOrderStatus.selector), "no");
        finalize(last);
        vm.clearMockedCalls();
        assertState(last, IVault.PositionState.Open);
        assertEq(principalOf(last), 200e6, "what the cash says is the trade, whatever the status");
        assertSolvent();
    }

    function test_attack_market_that_never_resolves() public {
        bytes32 key = open();
        skip(60 days - 1);
        vm.prank(owner, owner);
        vm.expectPartialRevert(IVault.TooEarly.selector);
        vault.writeOff(key);
        skip(1);
        vm.prank(owner, owner);
        vault.writeOff(key);
        assertEq(pool.bookOf().lentUsdcUnits, 0, "off the book");
        assertEq(pool.bookOf().reserveUsdcUnits, 25_000e6 - 200e6, "reserve pays");
        // Given after the loss, this puts the reserve above its target of 5 % of 500,000 USD.
        fundPool(0, 1_000e6);
        (uint256 owed, uint256 fees) = vault.debtOf(key);
        assertEq(owed, 200e6, "still owed");
        uint256 assets = pool.totalAssets();
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        vault.exitByRepaying(key, alice);
        assertEq(before - usdc.balanceOf(alice), 200e6 + fees, "paid with fees");
        assertEq(tokens.balanceOf(alice, yesId), 600e6, "tokens free");
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "recovered");
        assertEq(pool.bookOf().reserveUsdcUnits, 26_000e6, "a recovery stays in the reserve, whatever its target");
        assertEq(pool.totalAssets() - assets, fees - (fees * 2_000) / 10_000, "providers get their fees, no recovery");
        assertSolvent();
    }

    function test_attack_liquidation_late_behind_a_band() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 30e6);
        authorize(key, o, attestation(IVault.Purpose.Liquidate, 3_600, 500));
        vm.prank(keeper, keeper);
        vault.finalize(key);
        o = orderOf(key, 1, 600e6, 30e6);
        vm.expectRevert(abi.encodeWithSelector(IVault.NotLiquidatable.selector, 3_633));
        authorize(key, o, attestation(IVault.Purpose.Liquidate, 3_634, 500));
    }

    function test_attack_one_unwind_attestation_spent_on_healthy_positions() public {
        bytes32 weak = open();
        bytes32 healthy = open(requestOf(bytes16(uint128(3) << 100), 100e6, 20_000), bob, 5_000);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 5_000, 5_000);
        a.triggerPips = 3_000;
        authorize(weak, orderOf(weak, 1, 100e6, 50e6), a);
        IVenueExchange.Order memory o = orderOf(healthy, 1, 100e6, 50e6);
        vm.expectRevert(IVault.NotTriggered.selector);
        authorize(healthy, o, a);
    }

    function test_attack_margin_between_a_liquidation_and_its_booking_saves_the_fee() public {
        bytes32 key = open();
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        vm.prank(alice, alice);
        assertEq(vault.addMargin(key, 1e6), 1e6, "margin before the fill");
        uint256 principal = principalOf(key);
        fillWhole(o, 0);
        vm.prank(alice, alice);
        vm.expectRevert(IVault.SaleNotBooked.selector);
        vault.addMargin(key, 400e6);
        uint256 assets = pool.totalAssets();
        finalize(key);
        assertEq(pool.totalAssets() - assets, (principal + 99) / 100, "one percent of what was repaid");
        assertSolvent();
    }

    function test_margin_is_welcome_beside_a_liquidation_that_is_not_filled() public {
        bytes32 key = open();
        authorizeSale(key, IVault.Purpose.Liquidate, 600e6, 3_600);
        skip(61);
        vm.prank(alice, alice);
        vault.addMargin(key, 400e6);
        assertEq(principalOf(key), 0, "repaid");
        assertEq(vault.liquidationPriceOf(key), 0, "out of reach");
    }

    function test_attack_dust_that_never_ends_a_position() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        sell(key, IVault.Purpose.Close, 599_990_001, 5_000);
        assertState(key, IVault.PositionState.Closed);
        assertEq(tokensOf(key), 9_999, "dust stays");
        vm.prank(stranger, stranger);
        vm.expectRevert(IVault.NothingToClaim.selector);
        vault.claim(key);
        vm.prank(alice, alice);
        vault.claim(key);
        assertEq(tokens.balanceOf(alice, yesId), 9_999, "handed out to the owner who asks");
    }

    function test_attack_tokens_pushed_to_a_contract_that_refuses() public {
        RefusingUser user = new RefusingUser();
        usdc.mint(address(user), 1_000e6);
        user.approve(address(usdc), address(vault));
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, address(user));
        user.call(address(vault), abi.encodeCall(IVault.createPosition, (r, signature)));
        bytes32 key = vault.positionKeyOf(address(user), r.positionSeed);
        fillWhole(authorizeOpen(key, 5_000), 9e6);
        finalize(key);
        user.call(address(vault), abi.encodeCall(IVault.requestClose, (key, 600e6, 0)));
        sell(key, IVault.Purpose.Close, 599_990_001, 5_000);
        assertState(key, IVault.PositionState.Closed);
        usdc.mint(vault.accountOf(key), 7);
        uint256 before = usdc.balanceOf(address(user));
        user.call(address(vault), abi.encodeCall(IVault.claim, (key)));
        assertEq(usdc.balanceOf(address(user)) - before, 7, "the USDC arrives all the same");
        assertEq(tokensOf(key), 9_999, "the dust waits");
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
        assertEq(tokens.balanceOf(alice, yesId), 20_000, "the gift is his");
        assertSolvent();
    }

    function test_attack_payment_starved_of_gas_is_not_a_refusal() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.addMargin(key, 1_000e6);
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        fillWhole(authorizeSale(key, IVault.Purpose.Close, 600e6, 5_000), 0);
        bool ended;
        for (uint256 gasLimit = 40_000; !ended; gasLimit += 500) {
            vm.prank(keeper, keeper);
            (ended, ) = address(vault).call{gas: gasLimit}(abi.encodeCall(IVault.finalize, (key)));
        }
        assertEq(cashOf(key), 0, "with the least gas that ends it, the owner is paid");
    }

    function test_attack_stranger_sends_tokens_to_a_deployed_account() public {
        bytes32 key = open();
        address account = vault.accountOf(key);
        vm.prank(maker, maker);
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        tokens.safeTransferFrom(maker, account, yesId, 1e6, "");
    }

    function test_attack_account_verbs_from_strangers() public {
        bytes32 key = open();
        IPositionAccount account = IPositionAccount(vault.accountOf(key));
        address[3] memory callers = [alice, keeper, owner];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.startPrank(callers[i], callers[i]);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.allowUsdc(1);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.allowTokens(true);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.sendUsdc(alice, 0, alice, 1);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.sendTokens(alice, yesId, 1);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.trySendTokens(alice, yesId, 1);
            vm.expectRevert(IPositionAccount.OnlyVault.selector);
            account.redeem(conditionId, 1);
            vm.stopPrank();
        }
    }
}
