// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {BatchFixture} from "../../fixtures/BatchFixture.sol";

/// @notice One consent for several grants: what the members have in common refuses all, the rest only its member.
contract AuthorizeManyTest is BatchFixture {
    bytes32[] private keys;

    function setUp() public override {
        super.setUp();
        keys = openSeveral(11, 3);
    }

    function unwinding() private view returns (IVault.GrantBatch memory b) {
        b = batchOf(IVault.Purpose.Unwind, 5_000, 4_900, keys);
        for (uint256 i = 0; i < keys.length; ++i) b.members[i].mostUnits = 400e6;
    }

    // ------------------------------------------------------------ as authorizeGrant

    function test_each_member_is_granted_as_alone() public {
        requestClose(keys[0], 600e6, 0);
        requestClose(keys[1], 300e6, 4_800);
        requestClose(keys[2], 600e6, 0);
        assertAsAlone(batchOf(IVault.Purpose.Close, 5_000, 4_800, keys), 300e6);
        assertAsAlone(unwinding(), 390e6);
        assertAsAlone(liquidating(keys), 600e6);
    }

    /// @dev The members differ in everything that they may.
    function assertAsAlone(IVault.GrantBatch memory b, uint64 mostUnits) private {
        b.members[1].mostUnits = mostUnits;
        b.members[1].limitPips += 50;
        b.members[1].venueFeeBps = 100;
        b.members[2].triggerPips = 3_000;
        uint256 start = vm.snapshotState();
        bytes32[] memory alone = new bytes32[](keys.length);
        for (uint256 i = 0; i < keys.length; ++i) {
            IVault.GrantAttestation memory a = memberOf(b, i);
            authorizeGrant(keys[i], a.mostUnits, a);
            alone[i] = factsOf(keys[i]);
        }
        vm.revertToState(start);
        assertEq(authorizeMany(b), keys.length, "all of them");
        for (uint256 i = 0; i < keys.length; ++i) assertEq(factsOf(keys[i]), alone[i], "as alone");
        fillAll(keys[1]);
        vm.revertToState(start);
    }

    function test_emits_what_authorizeGrant_emits() public {
        IVault.GrantBatch memory b = unwinding();
        for (uint256 i = 0; i < keys.length; ++i) {
            vm.expectEmit();
            emit IVault.GrantAuthorized(
                keys[i],
                IVault.Purpose.Unwind,
                400e6,
                5_000,
                5_000,
                4_900,
                350,
                10,
                block.timestamp + 10
            );
        }
        authorizeMany(b);
    }

    // ------------------------------------------------------------ the whole batch

    function test_refuses_who_is_no_keeper() public {
        IVault.GrantBatch memory b = unwinding();
        bytes memory signatures = signBatch(b);
        vm.prank(stranger, stranger);
        vm.expectRevert(IVault.NotKeeper.selector);
        vault.authorizeMany(b, sizesOf(b), signatures);
    }

    function test_refuses_an_outcome_that_is_not_registered() public {
        IVault.GrantBatch memory b = unwinding();
        b.tokenId = noId;
        refuseMany(b, IVault.UnknownOutcome.selector);
        (b.marketId, b.tokenId) = (bytes32("other"), yesId);
        refuseMany(b, IVault.UnknownOutcome.selector);
        // Unknown keys are in no outcome.
        (b.marketId, b.tokenId, b.members[0].positionKey) = (0, 0, bytes32("unknown"));
        refuseMany(b, IVault.UnknownOutcome.selector);
    }

    function test_serves_sales_alone() public {
        IVault.GrantBatch memory b = unwinding();
        uint8[4] memory others = [0, uint8(IVault.Purpose.Open), 5, 255];
        for (uint256 i = 0; i < others.length; ++i) {
            b.purpose = others[i];
            refuseMany(b, IVault.AttestationMismatch.selector);
        }
    }

    function test_needs_the_signatures_of_this_struct() public {
        IVault.GrantBatch memory b = unwinding();
        refuseSignatures(b, signedBy(pair(PRICE_KEY, QUOTE_KEY), batchDigest(b)));
        refuseSignatures(b, signGrant(memberOf(b, 0)));
        refuseSignatures(b, signAttestation(attestation(IVault.Purpose.Unwind, 5_000, 4_900)));
        bytes memory one = signed(PRICE_KEY, batchDigest(b));
        refuseSignatures(b, bytes.concat(one, one));
        vm.prank(keeper, keeper);
        vm.expectPartialRevert(IVault.SignaturesRequired.selector);
        vault.authorizeMany(b, sizesOf(b), one);
        // Nor does the consent to a batch serve one of its members alone.
        IVault.GrantAttestation memory a = memberOf(b, 0);
        bytes memory ofBatch = signBatch(b);
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeGrant(keys[0], IVault.Purpose.Unwind, 400e6, a, ofBatch);
    }

    function refuseSignatures(IVault.GrantBatch memory b, bytes memory signatures) private {
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeMany(b, sizesOf(b), signatures);
    }

    function test_age_times_and_a_result_refuse_all() public {
        IVault.GrantBatch memory b = unwinding();
        b.observedAt = uint64(block.timestamp + 1);
        refuseMany(b, IVault.AttestationStale.selector);
        b.observedAt = uint64(block.timestamp - 7);
        refuseMany(b, IVault.AttestationStale.selector);
        b.observedAt = uint64(block.timestamp);
        uint16[3] memory times = [uint16(5), 21, 256 + 10];
        for (uint256 i = 0; i < times.length; ++i) {
            b.validFor = times[i];
            refuseMany(b, IVault.GrantTimeOutOfRange.selector);
        }
        (b.validFor, b.notAfter) = (6, uint64(block.timestamp - 1));
        refuseMany(b, IVault.GrantTimeOutOfRange.selector);
        resolve(1, 0);
        b = unwinding();
        refuseMany(b, IVault.OutcomeDecided.selector);
    }

    function test_oldest_and_shortest_are_taken() public {
        skip(10);
        IVault.GrantBatch memory b = unwinding();
        b.observedAt = uint64(block.timestamp - 6);
        (b.validFor, b.notAfter) = (6, uint64(block.timestamp));
        assertEq(authorizeMany(b), 3, "at the edge of each");
        assertEq(vault.grantOf(keys[2]).endsAt, block.timestamp, "this second alone");
    }

    function test_a_batch_of_nothing_does_nothing() public {
        refuseMany(batchOf(IVault.Purpose.Unwind, 5_000, 4_900, new bytes32[](0)), IVault.NothingDone.selector);
        // No user asked for a sale.
        IVault.GrantBatch memory b = unwinding();
        b.purpose = uint8(IVault.Purpose.Close);
        refuseMany(b, IVault.NothingDone.selector);
    }

    function test_alarm_asks_for_more_and_its_grants_live_in_it() public {
        assertEq(authorizeMany(unwinding()), 3, "before it");
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(FOURTH_PRICE_KEY), true);
        vm.prank(guardian, guardian);
        vault.raiseAlarm();
        refuseFill(keys[1], 200e6, 400e6, IVault.GrantNotLive.selector);
        skip(1);
        IVault.GrantBatch memory b = unwinding();
        b.observedAt = uint64(block.timestamp);
        b.members[0].mostUnits = 0;
        refuseMany(b, IVault.SignaturesRequired.selector);
        bytes memory signatures = signedBy(allPriceKeys(), batchDigest(b));
        vm.prank(keeper, keeper);
        assertEq(vault.authorizeMany(b, sizesOf(b), signatures), 2, "with one more");
        // The refused one has the grant from before the alarm, which is no more live than it was.
        refuseFill(keys[0], 200e6, 400e6, IVault.GrantNotLive.selector);
        assertEq(fillManyAs(filler, fillsOf(keys)), 2, "the others are live");
    }

    function test_opening_paused_stops_no_sale() public {
        vm.prank(guardian, guardian);
        vault.pauseOpening();
        assertEq(authorizeMany(unwinding()), 3, "granted");
        assertEq(fillManyAs(filler, fillsOf(keys)), 3, "and filled");
    }

    // ------------------------------------------------------------ one member

    function test_member_of_another_outcome_or_none_is_refused() public {
        IVault.GrantBatch memory b = unwinding();
        b.members[1].positionKey = bytes32("unknown");
        refuseMember(b, 1, IVault.AttestationMismatch.selector);
        b.members[1].positionKey = openInAnother();
        refuseMember(b, 1, IVault.AttestationMismatch.selector);
    }

    function openInAnother() private returns (bytes32 key) {
        if (isManaged()) vault.registerManagedOutcome(nativeId, 1);
        else vault.registerOutcome(oracle, QUESTION, 2);
        (yesId, noId) = (noId, yesId);
        key = openByFill(seeded(30), alice, 5_000);
        (yesId, noId) = (noId, yesId);
    }

    function test_member_that_is_not_open_is_refused() public {
        IVault.GrantBatch memory b = unwinding();
        bytes32 pending = create(seeded(31), alice);
        b.members[1].positionKey = pending;
        refuseMember(b, 1, IVault.WrongState.selector);
        // An opening that is granted stays granted.
        grantOpen(pending, 5_000, 5_000);
        refuseMember(b, 1, IVault.WrongState.selector);
        bytes32 closed = openByFill(seeded(32), alice, 5_000);
        vm.prank(alice, alice);
        vault.exitByRepaying(closed, alice);
        b.members[1].positionKey = closed;
        refuseMember(b, 1, IVault.WrongState.selector);
    }

    function test_member_out_of_its_range_is_refused() public {
        IVault.GrantBatch memory b = unwinding();
        bytes4 refusal = IVault.AttestationPriceOutOfRange.selector;
        b.members[1].limitPips = 4_499;
        refuseMember(b, 1, refusal);
        b.members[1].limitPips = 0;
        refuseMember(b, 1, refusal);
        b.members[1].limitPips = 10_001;
        refuseMember(b, 1, refusal);
        (b.members[1].limitPips, b.members[1].venueFeeBps) = (4_900, 1_001);
        refuseMember(b, 1, refusal);
        (b.members[1].limitPips, b.members[1].venueFeeBps) = (4_500, 556);
        refuseMember(b, 1, refusal);
        b.members[1].venueFeeBps = 555;
        assertEq(authorizeMany(b), 3, "at the edge");
    }

    function test_member_of_a_size_that_does_not_fit_is_refused() public {
        IVault.GrantBatch memory b = unwinding();
        bytes4 refusal = IVault.OrderAmountOutOfRange.selector;
        uint64[4] memory sizes = [0, 600e6 + 1, uint64(1) << 48, type(uint64).max];
        for (uint256 i = 0; i < sizes.length; ++i) {
            b.members[2].mostUnits = sizes[i];
            refuseMember(b, 2, refusal);
        }
        b.members[2].mostUnits = 596e6;
        refuseMember(b, 2, IVault.RemainderTooSmall.selector);
        b.members[2].mostUnits = 500e6;
        refuseMember(b, 2, refusal);
    }

    function test_member_without_cause_is_refused() public {
        IVault.GrantBatch memory b = unwinding();
        b.members[0].triggerPips = 3_334;
        refuseMember(b, 0, IVault.NotTriggered.selector);
        requestClose(keys[0], 300e6, 0);
        requestClose(keys[1], 600e6, 0);
        b = batchOf(IVault.Purpose.Close, 5_000, 4_900, keys);
        b.members[0].mostUnits = 300e6;
        refuseMember(b, 2, IVault.CloseNotRequested.selector);
        vm.prank(alice, alice);
        vault.addMargin(keys[1], 50e6);
        refuseMember(liquidating(keys), 1, IVault.NotLiquidatable.selector);
    }

    function test_member_that_sells_below_its_debt_is_refused() public {
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(alice, alice);
            vault.addMargin(keys[i], 50e6);
        }
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Unwind, 3_300, 3_250, keys);
        for (uint256 i = 0; i < 3; ++i) b.members[i].mostUnits = 400e6;
        refuseMember(b, 2, IVault.SaleBelowDebt.selector);
        // Past the hard exit everything may go, in one fill.
        b.members[2].mostUnits = 600e6;
        assertEq(authorizeMany(b), 3, "all of it");
        refuseFill(keys[2], 150e6, 300e6, IVault.GrantPartTooSmall.selector);
    }

    function test_grants_less_than_was_consented_to_and_never_more() public {
        IVault.GrantBatch memory b = unwinding();
        bytes memory signatures = signBatch(b);
        uint256[] memory sizes = sizesOf(b);
        (sizes[0], sizes[1], sizes[2]) = (350e6, 400e6 + 1, 0);
        vm.recordLogs();
        vm.prank(keeper, keeper);
        assertEq(vault.authorizeMany(b, sizes, signatures), 1, "the smaller one");
        assertEq(vault.grantOf(keys[0]).mostUnits, 350e6, "as the keeper asks");
        Refusal[] memory refused = refusals();
        assertEq(refused.length, 2, "two are refused");
        for (uint256 i = 0; i < 2; ++i) {
            assertEq(refused[i].positionKey, keys[i + 1], "each of the others");
            assertEq(bytes32(refused[i].reason), bytes32(IVault.OrderAmountOutOfRange.selector), "for its size");
        }
    }

    function test_needs_a_size_of_each_member() public {
        IVault.GrantBatch memory b = unwinding();
        bytes memory signatures = signBatch(b);
        for (uint256 length = 2; length < 5; length += 2) {
            vm.prank(keeper, keeper);
            vm.expectRevert(IVault.AttestationMismatch.selector);
            vault.authorizeMany(b, new uint256[](length), signatures);
        }
    }

    // ------------------------------------------------------------ once

    function test_member_named_twice_is_granted_once() public {
        IVault.GrantBatch memory b = unwinding();
        b.members[2] = b.members[0];
        vm.recordLogs();
        assertEq(authorizeMany(b), 2, "once");
        Refusal[] memory refused = refusals();
        assertEq(refused.length, 1, "one is refused");
        assertEq(bytes32(refused[0].reason), bytes32(IVault.AttestationUsed.selector), "as used");
        assertEq(vault.grantOf(keys[0]).mostUnits, 400e6, "its grant stands");
        assertEq(uint256(vault.grantOf(keys[2]).purpose), 0, "the other was not named");
    }

    function test_consent_serves_each_member_once() public {
        requestClose(keys[0], 600e6, 0);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        assertEq(authorizeMany(b), 1, "the one that asked");
        fillGrant(keys[0], 100e6, 200e6);
        skip(1);
        bytes32 facts = factsOf(keys[0]);
        refuseMany(b, IVault.NothingDone.selector);
        requestClose(keys[1], 600e6, 0);
        assertEq(authorizeMany(b), 1, "the one that asked since");
        assertEq(factsOf(keys[0]), facts, "the first grant stands, with its fill");
        skip(1);
        b.observedAt += 1;
        b.members[0].mostUnits = 400e6;
        assertEq(authorizeMany(b), 2, "a newer one replaces it");
        assertEq(vault.positionOf(keys[0]).tokenUnits, 400e6, "and books the fill");
    }

    /// @dev The consents of both calls are of one second: each purpose is served once.
    function test_batch_and_single_grant_share_what_they_served() public {
        IVault.GrantBatch memory b = unwinding();
        IVault.GrantAttestation memory a = memberOf(b, 1);
        authorizeGrant(keys[1], 400e6, a);
        refuseMember(b, 1, IVault.AttestationUsed.selector);
        assertEq(authorizeMany(b), 2, "the others");
        a.positionKey = keys[0];
        refuseGrant(keys[0], 400e6, a, IVault.AttestationUsed.selector);
    }

    // ------------------------------------------------------------ the order before

    function test_previous_grant_is_booked_by_a_new_one_and_stands_without() public {
        assertEq(authorizeMany(unwinding()), 3, "granted");
        fillGrant(keys[1], 100e6, 200e6);
        skip(1);
        IVault.GrantBatch memory b = unwinding();
        b.observedAt = uint64(block.timestamp);
        // Once the 200 sold tokens are booked, 300 repay more than what is owed.
        b.members[1].mostUnits = 300e6;
        refuseMember(b, 1, IVault.OrderAmountOutOfRange.selector);
        b.members[1].mostUnits = 150e6;
        assertEq(authorizeMany(b), 3, "all");
        assertEq(vault.positionOf(keys[1]).tokenUnits, 400e6, "booked");
        assertEq(vault.grantOf(keys[1]).filledUnits, 0, "a new grant");
        assertSolvent();
    }

    function test_user_who_cannot_be_paid_holds_up_no_member() public {
        for (uint256 i = 0; i < 3; ++i) requestClose(keys[i], 600e6, 0);
        assertEq(authorizeMany(batchOf(IVault.Purpose.Close, 5_000, 5_000, keys)), 3, "granted");
        fillGrant(keys[1], 150e6, 300e6);
        usdc.setBlacklisted(alice, true);
        skip(1);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        (b.observedAt, b.members[1].mostUnits) = (uint64(block.timestamp), 300e6);
        assertEq(authorizeMany(b), 3, "all");
        // A second of fees is a unit.
        assertEq(cashOf(keys[1]), 50e6 - 1, "what is the user's waits in the account");
    }
}
