// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {BatchFixture} from "../fixtures/BatchFixture.sol";
import {CallbackFiller} from "../fixtures/GrantFillers.sol";
import {BurningFiller} from "../fixtures/HostileBatches.sol";

/// @notice Keepers that change what was consented to or send too little gas, and fillers that reenter, burn gas, or
/// have the result reported between two fills.
contract BatchAttacksTest is BatchFixture {
    bytes32[] private keys;

    function setUp() public override {
        super.setUp();
        keys = openSeveral(11, 4);
    }

    // ------------------------------------------------------------ the keeper

    function refuseChanged(IVault.GrantBatch memory b, bytes memory signatures, string memory what) private {
        vm.prank(keeper, keeper);
        bytes memory call = abi.encodeCall(IVault.authorizeMany, (b, sizesOf(b), signatures));
        (bool done, bytes memory answer) = address(vault).call(call);
        assertTrue(!done, what);
        assertEq(bytes32(bytes4(answer)), bytes32(IVault.InvalidAttestationSignature.selector), what);
    }

    function test_keeper_changes_nothing_that_is_common() public {
        bytes memory signatures = signBatch(liquidating(keys));
        IVault.GrantBatch memory b = liquidating(keys);
        b.purpose = uint8(IVault.Purpose.Unwind);
        refuseChanged(b, signatures, "purpose");
        b = liquidating(keys);
        --b.markPips;
        refuseChanged(b, signatures, "mark");
        b = liquidating(keys);
        --b.observedAt;
        refuseChanged(b, signatures, "time of the prices");
        b = liquidating(keys);
        ++b.validFor;
        refuseChanged(b, signatures, "time of the grants");
        b = liquidating(keys);
        ++b.notAfter;
        refuseChanged(b, signatures, "last second");
        vault.registerOutcome(oracle, QUESTION, 2);
        b = liquidating(keys);
        b.tokenId = noId;
        refuseChanged(b, signatures, "token");
    }

    function test_keeper_changes_no_member() public {
        bytes memory signatures = signBatch(liquidating(keys));
        IVault.GrantBatch memory b = liquidating(keys);
        b.members[1].positionKey = openByFill(seeded(30), alice, 5_000);
        refuseChanged(b, signatures, "another position");
        b = liquidating(keys);
        ++b.members[1].mostUnits;
        refuseChanged(b, signatures, "size");
        b = liquidating(keys);
        --b.members[3].limitPips;
        refuseChanged(b, signatures, "limit");
        b = liquidating(keys);
        ++b.members[0].triggerPips;
        refuseChanged(b, signatures, "trigger");
        b = liquidating(keys);
        ++b.members[2].venueFeeBps;
        refuseChanged(b, signatures, "fee");
    }

    function test_keeper_reorders_drops_and_repeats_no_member() public {
        IVault.GrantBatch memory whole = liquidating(keys);
        bytes memory signatures = signBatch(whole);
        IVault.GrantBatch memory b = liquidating(keys);
        (b.members[0], b.members[1]) = (b.members[1], b.members[0]);
        refuseChanged(b, signatures, "another order");
        bytes32[] memory fewer = new bytes32[](3);
        for (uint256 i = 0; i < 3; ++i) fewer[i] = keys[i];
        refuseChanged(liquidating(fewer), signatures, "one less");
        bytes32[] memory more = new bytes32[](5);
        for (uint256 i = 0; i < 5; ++i) more[i] = keys[i % 4];
        refuseChanged(liquidating(more), signatures, "one twice");
        IVault.GrantBatch memory none = liquidating(keys);
        none.members = new IVault.GrantMember[](0);
        refuseChanged(none, signatures, "none");
        vm.prank(keeper, keeper);
        assertEq(vault.authorizeMany(whole, sizesOf(whole), signatures), 4, "as it was consented to");
    }

    /// @dev A member is granted wholly or untouched, whatever gas the keeper sends: it can leave members out, as it
    /// could by sending no transaction, and ends no grant by it.
    function test_keeper_who_sends_too_little_gas_leaves_members_as_they_were() public {
        for (uint256 i = 0; i < 4; ++i) requestClose(keys[i], 600e6, 0);
        assertEq(authorizeMany(batchOf(IVault.Purpose.Close, 5_000, 5_000, keys)), 4, "granted");
        fillGrant(keys[3], 150e6, 300e6);
        skip(1);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        (b.observedAt, b.members[3].mostUnits) = (uint64(block.timestamp), 300e6);
        bytes memory call = abi.encodeCall(IVault.authorizeMany, (b, sizesOf(b), signBatch(b)));
        bytes32[4] memory before;
        for (uint256 i = 0; i < 4; ++i) before[i] = factsOf(keys[i]);
        uint256 start = vm.snapshotState();
        vm.prank(keeper, keeper);
        (bool done, ) = address(vault).call(call);
        assertTrue(done, "with enough of it");
        bytes32[4] memory granted;
        for (uint256 i = 0; i < 4; ++i) granted[i] = factsOf(keys[i]);
        vm.revertToState(start);
        bool wasShort;
        for (uint256 gasSent = 50_000; gasSent < 600_000; gasSent += 2_500) {
            vm.prank(keeper, keeper);
            (done, ) = address(vault).call{gas: gasSent}(call);
            uint256 unchanged;
            for (uint256 i = 0; i < 4; ++i) {
                bytes32 facts = factsOf(keys[i]);
                assertTrue(facts == before[i] || (done && facts == granted[i]), "granted or untouched");
                if (facts == before[i]) ++unchanged;
            }
            assertTrue(done == (unchanged < 4), "done if anything was");
            if (unchanged != 0) wasShort = true;
            vm.revertToState(start);
        }
        assertTrue(done && wasShort, "from too little to enough");
    }

    // ------------------------------------------------------------ users

    function test_user_with_code_that_refuses_everything_holds_up_no_batch() public {
        for (uint256 i = 0; i < 4; ++i) requestClose(keys[i], 600e6, 0);
        assertEq(authorizeMany(batchOf(IVault.Purpose.Close, 5_000, 5_000, keys)), 4, "granted");
        for (uint256 i = 0; i < 4; ++i) fillGrant(keys[i], 150e6, 300e6);
        usdc.setBlacklisted(alice, true);
        skip(1);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        b.observedAt = uint64(block.timestamp);
        for (uint256 i = 0; i < 4; ++i) b.members[i].mostUnits = 300e6;
        assertEq(authorizeMany(b), 4, "granted again");
        assertEq(fillManyAs(filler, fillsOf(keys)), 4, "and filled");
        for (uint256 i = 0; i < 4; ++i) assertState(keys[i], IVault.PositionState.Closed);
        assertSolvent();
    }

    /// @dev USDC refuses the account itself: only its member is refused.
    function test_account_that_cannot_pay_costs_its_member_alone() public {
        for (uint256 i = 0; i < 4; ++i) requestClose(keys[i], 600e6, 0);
        assertEq(authorizeMany(batchOf(IVault.Purpose.Close, 5_000, 5_000, keys)), 4, "granted");
        fillGrant(keys[1], 150e6, 300e6);
        usdc.setBlacklisted(vault.accountOf(keys[1]), true);
        skip(1);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        (b.observedAt, b.members[1].mostUnits) = (uint64(block.timestamp), 300e6);
        bytes32 facts = factsOf(keys[1]);
        assertEq(authorizeMany(b), 3, "the others");
        assertEq(factsOf(keys[1]), facts, "its grant stands");
    }

    // ------------------------------------------------------------ fillers

    function test_every_batch_is_locked_inside_a_fill() public {
        assertEq(authorizeMany(liquidating(keys)), 4, "granted");
        IVault.GrantFill[] memory fills = fillsOf(keys);
        IVault.GrantBatch memory b = liquidating(keys);
        reenter(fills, abi.encodeCall(IVault.fillMany, (fills)));
        reenter(fills, abi.encodeCall(IVault.authorizeMany, (b, sizesOf(b), signBatch(b))));
        reenter(fills, abi.encodeCall(IVault.fill, (keys[3], fills[3].giveUnits, fills[3].takeUnits, "")));
    }

    /// @dev The caller is a keeper too, so that nothing but the lock refuses it.
    function reenter(IVault.GrantFill[] memory fills, bytes memory call) private {
        uint256 id = vm.snapshotState();
        CallbackFiller hostile = new CallbackFiller(vault);
        fundFiller(address(hostile));
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.Keeper, address(hostile), true);
        hostile.arm(address(vault), call);
        hostile.call(address(vault), abi.encodeCall(IVault.fillMany, (fills)));
        assertTrue(!hostile.attempted(), "refused");
        bytes4 locked = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
        assertEq(bytes32(bytes4(hostile.answer())), bytes32(locked), "by the lock");
        for (uint256 i = 0; i < 4; ++i) assertState(keys[i], IVault.PositionState.Liquidated);
        assertEq(tokens.balanceOf(address(hostile), yesId), 1_002_400e6, "each of them once");
        assertSolvent();
        vm.revertToState(id);
    }

    /// @dev An oracle's adapter that anyone may call.
    function reportNow() external {
        resolve(1, 0);
    }

    /// @dev The fill during which the result is reported stays, and nothing is filled after it.
    function test_result_reported_between_two_fills_ends_them() public {
        assertEq(authorizeMany(liquidating(keys)), 4, "granted");
        CallbackFiller hostile = new CallbackFiller(vault);
        fundFiller(address(hostile));
        hostile.arm(address(this), abi.encodeCall(this.reportNow, ()));
        hostile.call(address(vault), abi.encodeCall(IVault.fillMany, (fillsOf(keys))));
        assertTrue(hostile.attempted(), "reported");
        assertState(keys[0], IVault.PositionState.Liquidated);
        for (uint256 i = 1; i < 4; ++i) {
            assertState(keys[i], IVault.PositionState.Open);
            vault.settle(keys[i]);
            assertState(keys[i], IVault.PositionState.Settled);
        }
        assertSolvent();
    }

    /// @dev Its own receipt burns what its fill was given. A 64th of it is left, which is enough for the others.
    function test_filler_that_burns_gas_undoes_its_own_fill_alone() public {
        assertEq(authorizeMany(liquidating(keys)), 4, "granted");
        IVault.GrantFill[] memory fills = fillsOf(keys);
        fills[3].takeUnits -= 100e6;
        BurningFiller burning = new BurningFiller(fills[3].takeUnits);
        fundFiller(address(burning));
        bytes32 facts = factsOf(keys[3]);
        uint256 money = usdc.balanceOf(address(burning));
        bytes memory answer = burning.call(address(vault), abi.encodeCall(IVault.fillMany, (fills)));
        assertEq(abi.decode(answer, (uint256)), 3, "the others");
        assertEq(factsOf(keys[3]), facts, "nothing of it changed");
        uint256 paid = fills[0].giveUnits + fills[1].giveUnits + fills[2].giveUnits;
        assertEq(usdc.balanceOf(address(burning)), money - paid, "nor was it paid for");
    }

    /// @dev Whatever gas is sent, a fill is whole with its end, or nothing of it happened.
    function test_filler_that_sends_too_little_gas_leaves_no_half_fill() public {
        for (uint256 i = 0; i < 4; ++i) requestClose(keys[i], 600e6, 0);
        assertEq(authorizeMany(batchOf(IVault.Purpose.Close, 5_000, 5_000, keys)), 4, "granted");
        bytes memory call = abi.encodeCall(IVault.fillMany, (fillsOf(keys)));
        bytes32[4] memory before;
        for (uint256 i = 0; i < 4; ++i) before[i] = factsOf(keys[i]);
        uint256 start = vm.snapshotState();
        uint256 cutShort;
        bool done;
        for (uint256 gasSent = 60_000; gasSent < 1_000_000; gasSent += 5_000) {
            uint256 money = usdc.balanceOf(alice);
            vm.prank(filler, filler);
            (done, ) = address(vault).call{gas: gasSent}(call);
            uint256 closed;
            for (uint256 i = 0; i < 4; ++i) {
                bool isClosed = stateOf(keys[i]) == IVault.PositionState.Closed;
                assertTrue(isClosed || factsOf(keys[i]) == before[i], "whole or nothing");
                if (isClosed) ++closed;
                if (isClosed) assertEq(cashOf(keys[i]), 0, "no payment is refused for want of gas");
            }
            // Fees of a second or none: the user's part is close to 100 USD of each.
            assertGe(usdc.balanceOf(alice) - money, closed * 99e6, "the user is paid");
            assertTrue(done == (closed != 0), "done if anything was");
            if (done && closed < 4) ++cutShort;
            vm.revertToState(start);
        }
        assertTrue(done, "the last had enough");
        assertTrue(cutShort != 0, "some left fills out");
    }
}
