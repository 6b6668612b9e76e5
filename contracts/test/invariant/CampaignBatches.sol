// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {Vm} from "../fixtures/Vm.sol";
import {CampaignFills} from "./CampaignFills.sol";

/// @notice Grants and fills of several positions. What each would do alone is tried first, and undone: a batch does
/// exactly that, and changes nothing else.
abstract contract CampaignBatches is CampaignFills {
    uint256 private constant MAX_MEMBERS = 5;

    // ------------------------------------------------------------ granting

    /// @dev Positions of one outcome, and at times one of another, one twice, or an unknown key.
    function grantMany(uint256 seed, uint256 price, uint256 part, uint256 kind) public watched {
        bytes32 first = pick(seed);
        if (first == 0) return;
        IVault.GrantBatch memory b = batchFor(first, price, part, kind);
        bytes32[] memory alone = new bytes32[](b.members.length);
        uint256 expected;
        for (uint256 i = 0; i < b.members.length; ++i) {
            bytes32 key = b.members[i].positionKey;
            alone[i] = isGrantedBefore(b, alone, i) ? bytes32(0) : factsIfAlone(memberOf(b, i));
            if (alone[i] == 0) continue;
            ++expected;
            if (isOutstanding(key)) did(Deed.MemberReplaced);
            touch(key);
        }
        bytes memory signatures = consentTo(batchDigest(b), vault.requiredSignatures());
        (bool done, bytes4 reason) = attempt(
            keeper,
            address(vault),
            abi.encodeCall(IVault.authorizeMany, (b, sizesOf(b), signatures))
        );
        if (expected == 0) return assertBatchRefused(done, reason);
        assertDone(done, reason, "B1 a batch is granted if any member would be alone");
        fold(withoutRefused(vm.getRecordedLogs()));
        for (uint256 i = 0; i < b.members.length; ++i) {
            bytes32 key = b.members[i].positionKey;
            if (alone[i] == 0) did(Deed.MemberRefused);
            else assertEq(orderFactsOf(key), alone[i], "B1 and each as alone");
            if (alone[i] != 0) noteGranted(key);
        }
        did(Deed.GrantedMany);
    }

    function assertBatchRefused(bool done, bytes4 reason) private {
        assertTrue(!done, "B1 not if none would be");
        assertTrue(reason == IVault.NothingDone.selector || isGrantRefusal(reason), "B1 for a reason of its own");
        did(Deed.BatchRefused);
    }

    function batchFor(
        bytes32 first,
        uint256 price,
        uint256 part,
        uint256 kind
    ) private view returns (IVault.GrantBatch memory b) {
        IVault.Purpose purpose = IVault.Purpose(2 + (kind % 3));
        uint256 high = purpose == IVault.Purpose.Liquidate && isOpen(first) ? liquidationPriceAsFolded(first) : 9_500;
        uint32 markPips = uint32(bound(price, 1, high == 0 || high > 9_999 ? 9_999 : high));
        IVault.GrantAttestation memory a = grantFor(first, purpose, markPips, part >> 16);
        (b.marketId, b.tokenId, b.purpose, b.markPips) = (a.marketId, a.tokenId, a.purpose, markPips);
        (b.observedAt, b.validFor, b.notAfter) = (a.observedAt, a.validFor, a.notAfter);
        b.members = new IVault.GrantMember[](1 + (kind >> 8) % MAX_MEMBERS);
        uint256 next = (part >> 64) % keys.length;
        for (uint256 i = 0; i < b.members.length; ++i) {
            uint256 word = uint256(keccak256(abi.encode(part, i)));
            bytes32 key = i == 0 ? first : keys[next];
            if (word % 11 == 0) key = bytes32(word);
            b.members[i] = memberFor(key, purpose, markPips, word >> 8);
            next = word % 7 == 0 ? next : nextOf(first, next);
        }
    }

    /// @dev Usually the next key of the same outcome.
    function nextOf(bytes32 first, uint256 from) private view returns (uint256 next) {
        next = (from + 1) % keys.length;
        if (from % 5 == 4) return next;
        for (uint256 i = 0; i < keys.length; ++i) {
            if (deals[keys[next]].side == deals[first].side) return next;
            next = (next + 1) % keys.length;
        }
    }

    function memberFor(
        bytes32 key,
        IVault.Purpose purpose,
        uint32 markPips,
        uint256 word
    ) private view returns (IVault.GrantMember memory m) {
        IVault.Position memory p = vault.positionOf(key);
        uint256 maximum = p.tokenUnits;
        if (purpose == IVault.Purpose.Close && p.closeTokenUnits != 0) maximum = p.closeTokenUnits;
        if (word % 3 == 0 && maximum != 0) maximum = bound(word >> 8, 1, maximum);
        m.positionKey = key;
        m.mostUnits = uint64(maximum);
        m.limitPips = uint32(markPips - ((word >> 32) % (markPips / 20 + 1)));
        m.venueFeeBps = 300;
    }

    /// @dev An earlier member of the same position takes the consent, unless it is refused itself.
    function isGrantedBefore(
        IVault.GrantBatch memory b,
        bytes32[] memory alone,
        uint256 index
    ) private pure returns (bool) {
        for (uint256 i = 0; i < index; ++i) {
            if (alone[i] != 0 && b.members[i].positionKey == b.members[index].positionKey) return true;
        }
        return false;
    }

    /// @dev Return the facts of a position after authorizeGrant, or 0 where it is refused; nothing of it stays.
    function factsIfAlone(IVault.GrantAttestation memory a) private returns (bytes32 facts) {
        fold(vm.getRecordedLogs());
        uint256 id = vm.snapshotState();
        bytes memory signatures = consentTo(grantDigest(a), vault.requiredSignatures());
        vm.prank(keeper, keeper);
        (bool done, ) = address(vault).call(
            abi.encodeCall(
                IVault.authorizeGrant,
                (a.positionKey, IVault.Purpose(a.purpose), a.mostUnits, a, signatures)
            )
        );
        if (done) facts = orderFactsOf(a.positionKey);
        vm.revertToState(id);
        vm.getRecordedLogs();
    }

    /// @dev The recorder keeps what the undone call of a refused member emitted, which stands between the end of the
    /// member before it and its GrantRefused.
    function withoutRefused(Vm.Log[] memory logs) private pure returns (Vm.Log[] memory happened) {
        happened = new Vm.Log[](logs.length);
        (uint256 count, uint256 ended) = (0, 0);
        for (uint256 i = 0; i < logs.length; ++i) {
            bytes32 topic = logs[i].topics.length == 0 ? bytes32(0) : logs[i].topics[0];
            if (topic == IVault.GrantRefused.selector) count = ended;
            else happened[count++] = logs[i];
            if (topic == IVault.GrantRefused.selector || topic == IVault.GrantAuthorized.selector) ended = count;
        }
        assembly ("memory-safe") {
            mstore(happened, count)
        }
    }

    function orderFactsOf(bytes32 key) private view returns (bytes32) {
        return keccak256(abi.encode(factsOf(key)));
    }

    // ------------------------------------------------------------ filling

    /// @dev Everything that may be filled now, and at times one that may not, or at half of its price.
    function fillMany(uint256 seed, uint256 give, uint256 who, uint256 elapsed) public watched {
        if (elapsed % 2 == 0) skip((elapsed >> 8) % 20);
        if (keys.length == 0) return;
        address caller = fillers[who % fillers.length];
        uint256 maximum = keys.length < MAX_MEMBERS ? keys.length : MAX_MEMBERS;
        IVault.GrantFill[] memory fills = new IVault.GrantFill[](1 + (give % maximum));
        uint256[] memory movedUnits = new uint256[](fills.length);
        uint256 expected;
        for (uint256 i = 0; i < fills.length; ++i) {
            bytes32 key = keys[(seed % keys.length + i) % keys.length];
            (uint256 given, uint256 taken) = vault.quoteFill(key, type(uint256).max);
            bool isPoor = given > 1 && (give >> (8 + i)) % 4 == 1;
            fills[i] = IVault.GrantFill(key, isPoor ? given / 2 : given, taken);
            if (given == 0 || isPoor) continue;
            ++expected;
            movedUnits[i] = vault.grantOf(key).purpose == IVault.Purpose.Open ? given : taken;
            touch(key);
        }
        if (isBlacklisted(caller)) expected = 0;
        actor = caller;
        if (caller == address(hostile)) hostile.arm(address(vault), abi.encodeCall(IVault.fillMany, (fills)));
        fillTogether(caller, fills, movedUnits, expected);
    }

    function fillTogether(
        address caller,
        IVault.GrantFill[] memory fills,
        uint256[] memory movedUnits,
        uint256 expected
    ) private {
        uint256[] memory held = new uint256[](fills.length);
        for (uint256 i = 0; i < fills.length; ++i) held[i] = heldOf(fills[i].positionKey);
        (bool done, bytes4 reason) = attempt(caller, address(vault), abi.encodeCall(IVault.fillMany, (fills)));
        if (expected == 0) {
            assertRefused(done, reason, IVault.NothingDone.selector, "B2 nothing is filled that is not quoted");
            return did(Deed.FillSkipped);
        }
        assertDone(done, reason, "B2 what is quoted is filled");
        for (uint256 i = 0; i < fills.length; ++i) {
            if (movedUnits[i] == 0) {
                did(Deed.FillSkipped);
                continue;
            }
            assertEq(delta(held[i], heldOf(fills[i].positionKey)), movedUnits[i], "B2 each as alone");
        }
        if (caller == address(hostile) && hostile.answer().length != 0) {
            bytes4 locked = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
            assertTrue(!hostile.attempted() && bytes4(hostile.answer()) == locked, "H16 one lock over all entries");
        }
        did(Deed.FilledMany);
    }

    // ------------------------------------------------------------ whole lives

    /// @dev A close that some asked for, an unwind or a liquidation of several, filled and granted again; at times one
    /// of those who are paid is blacklisted meanwhile.
    function sellByBatch(uint256 seed, uint256 price, uint256 part, uint256 kind) public {
        if (keys.length == 0) return;
        if (kind % 3 == 0) requestClosing(seed % keys.length, part, price % 1_000);
        grantMany(seed % keys.length, 1_000 + (price % 5_000), part, kind);
        bool isBlocked = part % 4 == 0;
        if (isBlocked) bar(part);
        fillMany(seed % keys.length, part >> 8, seed >> 8, price >> 8);
        if (part % 3 == 0) wait(1 + 4 * (part % 5));
        grantMany(seed % keys.length, 1_000 + (price % 5_000), part >> 16, kind >> 16);
        if (isBlocked) bar(1);
    }

    function wait(uint256 elapsed) public virtual;
}
