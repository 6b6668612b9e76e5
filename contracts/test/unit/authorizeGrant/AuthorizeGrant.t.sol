// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {GrantFixture} from "../../fixtures/GrantFixture.sol";

/// @notice Refusals of a grant, each by its own name, and at the edge of each bound.
contract AuthorizeGrantTest is GrantFixture {
    bytes32 private pending;
    bytes32 private held;

    function setUp() public override {
        super.setUp();
        held = openByFill(seeded(9), alice, 5_000);
        pending = create();
    }

    function opening() private view returns (IVault.GrantAttestation memory a) {
        a = grantAttestation(IVault.Purpose.Open, 5_000, 5_000, 300e6);
        a.positionKey = pending;
    }

    function closing() private returns (IVault.GrantAttestation memory a) {
        requestClose(held, 300e6, 0);
        a = grantAttestation(IVault.Purpose.Close, 5_000, 5_000, 300e6);
        a.positionKey = held;
    }

    function refuseOpening(IVault.GrantAttestation memory a, bytes4 selector) private {
        refuseGrant(pending, 300e6, a, selector);
    }

    function test_refuses_who_is_no_keeper() public {
        IVault.GrantAttestation memory a = opening();
        bytes memory signatures = signGrant(a);
        vm.prank(stranger, stranger);
        vm.expectRevert(IVault.NotKeeper.selector);
        vault.authorizeGrant(pending, IVault.Purpose.Open, 300e6, a, signatures);
    }

    function test_refuses_another_market_token_or_purpose() public {
        IVault.GrantAttestation memory a = opening();
        a.marketId = bytes32("other");
        refuseOpening(a, IVault.AttestationMismatch.selector);
        a = opening();
        a.tokenId = noId;
        refuseOpening(a, IVault.AttestationMismatch.selector);
        a = closing();
        bytes memory signatures = signGrant(a);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.AttestationMismatch.selector);
        vault.authorizeGrant(held, IVault.Purpose.Unwind, 300e6, a, signatures);
    }

    function test_refuses_the_wrong_state_and_no_purpose() public {
        refuseGrant(held, 300e6, opening(), IVault.WrongState.selector);
        IVault.GrantAttestation memory a = closing();
        refuseGrant(pending, 300e6, a, IVault.WrongState.selector);
        a.purpose = 0;
        refuseGrant(held, 300e6, a, IVault.WrongState.selector);
        a.purpose = 3;
        refuseGrant(pending, 300e6, a, IVault.WrongState.selector);
    }

    function test_attestation_is_at_most_six_seconds_old() public {
        IVault.GrantAttestation memory a = opening();
        a.observedAt = uint64(block.timestamp + 1);
        refuseOpening(a, IVault.AttestationStale.selector);
        a.observedAt = uint64(block.timestamp - 7);
        refuseOpening(a, IVault.AttestationStale.selector);
        a.observedAt = uint64(block.timestamp - 6);
        authorizeGrant(pending, 300e6, a);
    }

    function test_refuses_prices_and_fees_out_of_range() public {
        IVault.GrantAttestation memory a = opening();
        a.exitBufferBps = 1_501;
        refuseOpening(a, IVault.AttestationBufferTooHigh.selector);
        a = opening();
        (a.markPips, a.limitPips) = (0, 0);
        refuseOpening(a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (10_001, 10_000);
        refuseOpening(a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (10_000, 10_001);
        refuseOpening(a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (1, 0);
        refuseOpening(a, IVault.AttestationPriceOutOfRange.selector);
        a = opening();
        a.venueFeeBps = 1_001;
        refuseOpening(a, IVault.AttestationPriceOutOfRange.selector);
    }

    function test_each_purpose_has_its_band() public {
        IVault.GrantAttestation memory a = opening();
        a.limitPips = 5_251;
        refuseOpening(a, IVault.AttestationPriceOutOfRange.selector);
        a.limitPips = 4_749;
        refuseOpening(a, IVault.AttestationPriceOutOfRange.selector);
        a.limitPips = 5_250;
        authorizeGrant(pending, 300e6, a);
        requestClose(held, 600e6, 0);
        refuseSale(IVault.Purpose.Close, 4_749);
        grant(held, IVault.Purpose.Close, 600e6, 5_000, 4_750);
        skip(20);
        requestClose(held, 600e6, 1);
        refuseSale(IVault.Purpose.Close, 3_999);
        // With a fee part of 3.5 % the last price is a fifth below the mark.
        refuseSale(IVault.Purpose.Close, 4_145);
        grant(held, IVault.Purpose.Close, 600e6, 5_000, 4_146);
        skip(20);
        refuseSale(IVault.Purpose.Unwind, 4_499);
        grant(held, IVault.Purpose.Unwind, 400e6, 5_000, 4_500);
        uint32 price = uint32(vault.liquidationPriceOf(held));
        uint32 lowest = (price * 8 + 9) / 10;
        a = grantAttestation(IVault.Purpose.Liquidate, price, lowest - 1, 600e6);
        refuseGrant(held, 600e6, a, IVault.AttestationPriceOutOfRange.selector);
        a.limitPips = lowest;
        refuseGrant(held, 600e6, a, IVault.AttestationPriceOutOfRange.selector);
        a.venueFeeBps = 0;
        authorizeGrant(held, 600e6, a);
    }

    /// @dev The most that a filler takes of the mark, in each purpose: limit and fee part together.
    function test_bands_bound_limit_and_fee_part_together() public {
        IVault.CreateRequest memory r = seeded(8);
        r.venueFeeUsdcUnits = 30e6;
        bytes32 key = create(r, alice);
        IVault.GrantAttestation memory a = opening();
        (a.limitPips, a.venueFeeBps) = (5_250, 477);
        refuseGrant(key, 300e6, a, IVault.AttestationPriceOutOfRange.selector);
        a.venueFeeBps = 476;
        authorizeGrant(key, 300e6, a);
        requestClose(held, 600e6, 0);
        refuseCost(IVault.Purpose.Close, 4_750, 527);
        refuseCost(IVault.Purpose.Unwind, 4_500, 556);
        requestClose(held, 600e6, 1);
        refuseCost(IVault.Purpose.Close, 4_444, 1_000);
        requestClose(held, 600e6, 4_445);
        // The user's own price is the limit, and is what counts.
        a = grantAttestation(IVault.Purpose.Close, 5_000, 4_000, 400e6);
        a.venueFeeBps = 1_000;
        authorizeGrant(held, 400e6, a);
    }

    /// @dev A book without asks has bids above its last mark: such a sale is better, however far.
    function test_limit_of_a_sale_may_be_any_distance_above_the_mark() public {
        authorizeGrant(held, 300e6, grantAttestation(IVault.Purpose.Unwind, 5_000, 6_892, 300e6));
        assertEq(vault.grantOf(held).startPips, 6_892, "from the limit");
    }

    /// @dev A basis point of fee less is taken.
    function refuseCost(IVault.Purpose purpose, uint32 limitPips, uint16 feeBps) private {
        IVault.GrantAttestation memory a = grantAttestation(purpose, 5_000, limitPips, 400e6);
        a.venueFeeBps = feeBps;
        refuseGrant(held, 400e6, a, IVault.AttestationPriceOutOfRange.selector);
        a.venueFeeBps = feeBps - 1;
        uint256 id = vm.snapshotState();
        authorizeGrant(held, 400e6, a);
        vm.revertToState(id);
    }

    /// @dev The venue's operator fills an older order: what is left for trading is less than what is open.
    function test_W7_a_grant_leaves_the_origination_fee_whole() public {
        IVault.CreateRequest memory r = seeded(7);
        (r.originationFeeBps, r.minFillBps) = (500, 1_000);
        bytes32 key = create(r, alice);
        IVault.PriceAttestation memory price = attestation(IVault.Purpose.Open, 5_000, 5_000);
        price.venueFeeBps = 0;
        IVenueExchange.Order memory older = orderOf(key, 0, 30e6, 60e6);
        authorize(key, older, price);
        older = preapproved(older);
        authorize(key, orderOf(key, 0, 200e6, 400e6), price);
        fillWhole(older, 0);
        assertEq(usdc.balanceOf(vault.accountOf(key)), 297e6, "327 USD less the 30 of the older order");
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Open, 5_000, 5_000, 300e6);
        a.venueFeeBps = 0;
        refuseGrant(key, 297e6, a, IVault.VenueFeeTooSmall.selector);
        refuseGrant(key, 282e6 + 1, a, IVault.VenueFeeTooSmall.selector);
        authorizeGrant(key, 282e6, a);
        fillGrant(key, 282e6 * 2, 282e6);
        assertState(key, IVault.PositionState.Open);
    }

    function test_consent_serves_its_position_once() public {
        IVault.GrantAttestation memory a = closing();
        bytes32 other = openByFill(seeded(6), alice, 5_000);
        requestClose(other, 300e6, 0);
        bytes memory signatures = signGrant(a);
        vm.startPrank(keeper, keeper);
        vm.expectRevert(IVault.AttestationMismatch.selector);
        vault.authorizeGrant(other, IVault.Purpose.Close, 300e6, a, signatures);
        vault.authorizeGrant(held, IVault.Purpose.Close, 150e6, a, signatures);
        vm.stopPrank();
        fillAll(held);
        assertEq(vault.positionOf(held).tokenUnits, 450e6, "sold");
        skip(1);
        vm.startPrank(keeper, keeper);
        vm.expectRevert(IVault.AttestationUsed.selector);
        vault.authorizeGrant(held, IVault.Purpose.Close, 150e6, a, signatures);
        vm.stopPrank();
    }

    /// @dev Another purpose at the same second does not make the first one new again, nor does an older observation.
    function test_a_second_serves_each_purpose_once() public {
        grant(held, IVault.Purpose.Unwind, 400e6, 5_000, 5_000);
        IVault.GrantAttestation memory a = closing();
        authorizeGrant(held, 300e6, a);
        IVault.GrantAttestation memory b = grantAttestation(IVault.Purpose.Unwind, 5_000, 5_000, 400e6);
        refuseGrant(held, 400e6, b, IVault.AttestationUsed.selector);
        refuseGrant(held, 300e6, a, IVault.AttestationUsed.selector);
        skip(2);
        authorizeGrant(held, 400e6, grantAttestation(IVault.Purpose.Unwind, 5_000, 5_000, 400e6));
        a.observedAt = uint64(block.timestamp - 1);
        refuseGrant(held, 300e6, a, IVault.AttestationUsed.selector);
        a.observedAt = uint64(block.timestamp);
        authorizeGrant(held, 300e6, a);
    }

    function refuseSale(IVault.Purpose purpose, uint32 limitPips) private {
        IVault.GrantAttestation memory a = grantAttestation(purpose, 5_000, limitPips, 400e6);
        refuseGrant(held, 400e6, a, IVault.AttestationPriceOutOfRange.selector);
    }

    function test_time_of_the_path_and_last_second() public {
        IVault.GrantAttestation memory a = opening();
        a.validFor = 5;
        refuseOpening(a, IVault.GrantTimeOutOfRange.selector);
        a.validFor = 21;
        refuseOpening(a, IVault.GrantTimeOutOfRange.selector);
        // The lowest byte alone would be in range.
        a.validFor = 256 + 10;
        refuseOpening(a, IVault.GrantTimeOutOfRange.selector);
        a.validFor = 6;
        a.notAfter = uint64(block.timestamp - 1);
        refuseOpening(a, IVault.GrantTimeOutOfRange.selector);
        a.notAfter = uint64(block.timestamp);
        authorizeGrant(pending, 300e6, a);
        assertEq(vault.grantOf(pending).endsAt, block.timestamp, "this second alone");
        skip(1);
        a.observedAt += 1;
        a.validFor = 20;
        a.notAfter = type(uint64).max;
        authorizeGrant(pending, 300e6, a);
        assertEq(vault.grantOf(pending).endsAt, block.timestamp + 20, "the whole path");
    }

    function test_takes_the_signatures_of_this_struct_alone() public {
        IVault.GrantAttestation memory a = opening();
        IVault.PriceAttestation memory price = attestation(IVault.Purpose.Open, 5_000, 5_000);
        bytes memory signatures = signAttestation(price);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeGrant(pending, IVault.Purpose.Open, 300e6, a, signatures);
        signatures = signedBy(pair(PRICE_KEY, QUOTE_KEY), grantDigest(a));
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeGrant(pending, IVault.Purpose.Open, 300e6, a, signatures);
        signatures = signed(PRICE_KEY, grantDigest(a));
        vm.prank(keeper, keeper);
        vm.expectPartialRevert(IVault.SignaturesRequired.selector);
        vault.authorizeGrant(pending, IVault.Purpose.Open, 300e6, a, signatures);
    }

    function test_size_is_what_was_attested_at_most() public {
        IVault.GrantAttestation memory a = opening();
        refuseGrant(pending, 0, a, IVault.OrderAmountOutOfRange.selector);
        a.mostUnits = 300e6 - 1;
        refuseOpening(a, IVault.OrderAmountOutOfRange.selector);
        a.mostUnits = type(uint64).max;
        refuseGrant(pending, uint256(1) << 48, a, IVault.OrderAmountOutOfRange.selector);
        refuseGrant(pending, 300e6 + 1, a, IVault.OrderAmountOutOfRange.selector);
        refuseGrant(pending, 297e6 - 1, a, IVault.OrderAmountOutOfRange.selector);
        authorizeGrant(pending, 297e6, a);
    }

    function test_opening_needs_time_consent_and_fee_budget() public {
        IVault.GrantAttestation memory a = opening();
        a.venueFeeBps = 401;
        refuseOpening(a, IVault.VenueFeeTooSmall.selector);
        vm.prank(guardian, guardian);
        vault.pauseOpening();
        refuseOpening(opening(), IVault.OpeningIsPaused.selector);
        vm.prank(owner, owner);
        vault.resumeOpening();
        grantOpen(pending, 5_000, 5_000);
        vm.prank(alice, alice);
        vault.cancelPosition(pending);
        skip(1);
        refuseOpening(opening(), IVault.CancelWasRequested.selector);
        bytes32 late = create(seeded(3), alice);
        skip(301);
        refuseGrant(late, 300e6, opening(), IVault.OpenWindowOver.selector);
    }

    function test_opening_is_checked_at_its_limit() public {
        IVault.CreateRequest memory r = tenfold(1_000e6);
        bytes32 key = create(r, alice);
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Open, 5_000, 5_112, 10_000e6);
        // With its buffer it would be liquidatable at its opening first.
        refuseGrant(key, 10_000e6, a, IVault.UnhealthyAtOpening.selector);
        a.exitBufferBps = 0;
        // 0.9 of 10,000 against 0.92 of the tokens at the mark: at most 2.22 % over the mark.
        refuseGrant(key, 10_000e6, a, IVault.LeverageAboveQuoted.selector);
        a.limitPips = 5_111;
        authorizeGrant(key, 10_000e6, a);
    }

    function test_sale_checks_are_those_of_an_order() public {
        requestClose(held, 300e6, 0);
        IVault.GrantAttestation memory a = grantAttestation(IVault.Purpose.Close, 5_000, 5_000, 700e6);
        refuseGrant(held, 601e6, a, IVault.OrderAmountOutOfRange.selector);
        refuseGrant(held, 301e6, a, IVault.OrderAmountOutOfRange.selector);
        refuseGrant(held, 596e6, a, IVault.RemainderTooSmall.selector);
        (a.markPips, a.limitPips) = (3_400, 3_400);
        refuseGrant(held, 300e6, a, IVault.SaleBelowDebt.selector);
        requestClose(held, 0, 0);
        refuseGrant(held, 300e6, closingWithoutRequest(), IVault.CloseNotRequested.selector);
        a = grantAttestation(IVault.Purpose.Unwind, 5_000, 5_000, 600e6);
        a.triggerPips = 3_334;
        refuseGrant(held, 400e6, a, IVault.NotTriggered.selector);
        a.triggerPips = 3_333;
        refuseGrant(held, 500e6, a, IVault.OrderAmountOutOfRange.selector);
        uint32 price = uint32(vault.liquidationPriceOf(held)) + 1;
        a = grantAttestation(IVault.Purpose.Liquidate, price, price, 600e6);
        refuseGrant(held, 600e6, a, IVault.NotLiquidatable.selector);
    }

    function closingWithoutRequest() private view returns (IVault.GrantAttestation memory) {
        return grantAttestation(IVault.Purpose.Close, 5_000, 5_000, 300e6);
    }

    function test_cover_counts_the_attested_fee_alone() public {
        vm.prank(owner, owner);
        exchange.setMaxFeeRate(1_000);
        requestClose(held, 600e6, 0);
        // 600 tokens at 34.6 cents less 3.5 % are 200.33 USD; less 10 % they would not cover 200.
        grant(held, IVault.Purpose.Close, 600e6, 3_460, 3_460);
        fillAll(held);
        assertState(held, IVault.PositionState.Closed);
        assertEq(vault.positionOf(held).badDebtUsdcUnits, 0, "no loss");
    }

    function test_refuses_a_decided_outcome() public {
        resolve(1, 0);
        refuseOpening(opening(), IVault.OutcomeDecided.selector);
    }

    function test_alarm_asks_for_more_and_ends_older_grants() public {
        authorizeGrant(pending, 300e6, opening());
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(FOURTH_PRICE_KEY), true);
        vm.prank(guardian, guardian);
        vault.raiseAlarm();
        refuseFill(pending, 600e6, 300e6, IVault.GrantNotLive.selector);
        (uint256 given, ) = vault.quoteFill(pending, 600e6);
        assertEq(given, 0, "no quote");
        skip(1);
        IVault.GrantAttestation memory a = opening();
        refuseGrant(pending, 300e6, a, IVault.SignaturesRequired.selector);
        bytes memory signatures = signedBy(allPriceKeys(), grantDigest(a));
        vm.prank(keeper, keeper);
        vault.authorizeGrant(pending, IVault.Purpose.Open, 300e6, a, signatures);
        fillGrant(pending, 600e6, 300e6);
        assertState(pending, IVault.PositionState.Open);
    }

    function test_endGrant_is_for_signers_keepers_guardian_and_owner() public {
        address[4] memory may = [vm.addr(THIRD_PRICE_KEY), keeper, guardian, owner];
        for (uint256 i = 0; i < may.length; ++i) {
            skip(1);
            authorizeGrant(pending, 300e6, opening());
            vm.prank(stranger, stranger);
            vm.expectRevert(IVault.NotGrantAuthority.selector);
            vault.endGrant(pending);
            vm.expectEmit();
            emit IVault.GrantEnded(pending, IVault.Purpose.Open, 0);
            vm.prank(may[i], may[i]);
            vault.endGrant(pending);
            assertNoGrant(pending);
        }
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.NoGrant.selector);
        vault.endGrant(pending);
        authorizeOpen(pending, 5_000);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.NoGrant.selector);
        vault.endGrant(pending);
        assertEq(uint256(vault.grantOf(pending).purpose), 0, "an order is no grant");
        (uint256 given, ) = vault.quoteFill(pending, 600e6);
        assertEq(given, 0, "nor quoted");
        refuseFill(pending, 600e6, 300e6, IVault.GrantNotLive.selector);
    }
}
