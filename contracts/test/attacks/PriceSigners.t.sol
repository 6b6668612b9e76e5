// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {OrderFixture} from "../fixtures/OrderFixture.sol";

/// @notice V6: two of three price signers to sell or lend, and one guardian to raise the alarm.
contract PriceSignersTest is OrderFixture {
    function moveTo(uint256 timestamp) private {
        vm.warp(timestamp);
    }

    function order(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a,
        bytes memory signatures
    ) private {
        vm.prank(keeper, keeper);
        vault.authorizeOrder(key, IVault.Purpose(a.purpose), o, uint64(block.timestamp + 60), a, signatures);
    }

    /// @dev Two signers more than the threshold of two.
    function appointFourth() private {
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(FOURTH_PRICE_KEY), true);
    }

    function raise() private returns (uint256 endsAt) {
        vm.prank(guardian, guardian);
        vault.raiseAlarm();
        return vault.alarmEndsAt();
    }

    // ------------------------------------------------------------ m of n

    function test_V6_two_keys_sign_an_order_each_once_and_in_order() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        bytes32 digest = attestationDigest(a);
        uint256[] memory two = ascending(pair(PRICE_KEY, SECOND_PRICE_KEY));
        bytes memory first = signed(two[0], digest);
        bytes memory second = signed(two[1], digest);
        bytes[4] memory tooFewOrMany = [
            bytes(""),
            first,
            bytes.concat(first, second, hex"00"),
            signedBy(allPriceKeys(), digest)
        ];
        for (uint256 i = 0; i < tooFewOrMany.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IVault.SignaturesRequired.selector, 2));
            order(pending, o, a, tooFewOrMany[i]);
        }
        bytes[5] memory wrong = [
            bytes.concat(first, first),
            bytes.concat(second, second),
            bytes.concat(second, first),
            signedBy(pair(PRICE_KEY, MAKER_KEY), digest),
            bytes.concat(first, signed(two[1], bytes32(uint256(1))))
        ];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.expectRevert(IVault.InvalidAttestationSignature.selector);
            order(pending, o, a, wrong[i]);
        }
        order(pending, o, a, bytes.concat(first, second));
    }

    function test_V6_any_two_of_three_consent() public {
        uint256[3] memory all = [PRICE_KEY, SECOND_PRICE_KEY, THIRD_PRICE_KEY];
        for (uint256 i = 0; i < 3; ++i) {
            bytes32 key = create(seeded(uint128(20 + i)), alice);
            IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
            bytes memory signatures = signedBy(pair(all[i], all[(i + 1) % 3]), attestationDigest(a));
            order(key, orderOf(key, 0, 300e6, 600e6), a, signatures);
        }
    }

    /// @dev Keeper and one signer stolen: an opening at 99 cents of a token worth five, from a friend who holds it.
    function test_V6_attack_lending_the_pool_to_a_friend_with_one_key() public {
        IVenueExchange.Order memory o = orderOf(pending, 0, 299_999_700, 303_030_000);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 9_900, 9_900);
        bytes memory one = signed(PRICE_KEY, attestationDigest(a));
        vm.expectRevert(abi.encodeWithSelector(IVault.SignaturesRequired.selector, 2));
        order(pending, o, a, one);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        order(pending, o, a, bytes.concat(one, one));
    }

    /// @dev Keeper and one signer stolen: a position sold at one pip.
    function test_V6_attack_selling_at_one_pip_with_one_key() public {
        IVenueExchange.Order memory o = orderOf(held, 1, 600e6, 60_000);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Liquidate, 1, 1);
        bytes memory one = signed(SECOND_PRICE_KEY, attestationDigest(a));
        vm.expectRevert(abi.encodeWithSelector(IVault.SignaturesRequired.selector, 2));
        order(held, o, a, one);
    }

    function test_V6_threshold_is_the_owners_and_at_least_two() public {
        vm.prank(guardian, guardian);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        vault.setPriceThreshold(3);
        vm.startPrank(owner, owner);
        for (uint256 threshold = 0; threshold < 6; ++threshold) {
            if (threshold == 2 || threshold == 3) continue;
            vm.expectRevert(abi.encodeWithSelector(IVault.PriceThresholdOutOfRange.selector, threshold, 3));
            vault.setPriceThreshold(threshold);
        }
        vm.expectEmit();
        emit IVault.PriceThresholdChanged(3);
        vault.setPriceThreshold(3);
        assertEq(vault.priceThreshold(), 3, "threshold");
        assertEq(vault.requiredSignatures(), 3, "required");
        vm.expectRevert(abi.encodeWithSelector(IVault.PriceThresholdOutOfRange.selector, 3, 2));
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), false);
        vault.setPriceThreshold(2);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), false);
        assertEq(vault.priceSignerCount(), 2, "two are left");
        vm.expectRevert(abi.encodeWithSelector(IVault.PriceThresholdOutOfRange.selector, 2, 1));
        vault.setRole(IVault.Role.PriceSigner, vm.addr(SECOND_PRICE_KEY), false);
        vm.stopPrank();
    }

    function test_V8_member_named_twice_is_one_member() public {
        vm.startPrank(owner, owner);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), true);
        assertEq(vault.priceSignerCount(), 3, "the same three");
        vault.setRole(IVault.Role.PriceSigner, stranger, false);
        assertEq(vault.priceSignerCount(), 3, "who was none leaves none");
        vm.stopPrank();
    }

    // ------------------------------------------------------------ the alarm

    function test_W5_alarm_asks_for_all_signers_but_one() public {
        appointFourth();
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        uint256 endsAt = raise();
        assertEq(endsAt, block.timestamp + 6 hours, "for six hours");
        assertEq(vault.requiredSignatures(), 3, "all but one");
        bytes memory two = signAttestation(a);
        vm.expectRevert(abi.encodeWithSelector(IVault.SignaturesRequired.selector, 3));
        order(pending, o, a, two);
        order(pending, o, a, signedBy(allPriceKeys(), attestationDigest(a)));
        assertTrue(vault.isLiveOrder(pending, exchange.hashOrder(o)), "granted in the alarm, so it lives");
        fillWhole(o, 9e6);
        finalize(pending);
        assertState(pending, IVault.PositionState.Open);
    }

    /// @dev One host is down and the guardian is hostile, or only careful: a liquidation is granted all the same.
    function test_W5_liquidates_in_an_alarm_while_one_signer_is_away() public {
        raise();
        IVenueExchange.Order memory o = orderOf(held, 1, 600e6, 216e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Liquidate, 3_600, 3_600);
        order(held, o, a, signedBy(pair(SECOND_PRICE_KEY, THIRD_PRICE_KEY), attestationDigest(a)));
        assertTrue(vault.isLiveOrder(held, exchange.hashOrder(o)), "two of three");
    }

    function test_W5_alarm_asks_for_the_threshold_at_least() public {
        vm.prank(owner, owner);
        vault.setPriceThreshold(3);
        raise();
        assertEq(vault.requiredSignatures(), 3, "all of three, as without an alarm");
        appointFourth();
        assertEq(vault.requiredSignatures(), 3, "three of four");
    }

    /// @dev A removal lowers what an alarm asks for, and never below the threshold. Of four signers a second one within
    /// a week would leave none to spare: one host that is down would stop every liquidation.
    function test_W5_removals_leave_a_signer_to_spare() public {
        appointFourth();
        raise();
        vm.startPrank(guardian, guardian);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), false);
        assertEq(vault.requiredSignatures(), 2, "two of three");
        uint256 notBefore = block.timestamp + 7 days;
        skip(1 days);
        // Who is no signer starts no wait.
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), false);
        vm.expectRevert(abi.encodeWithSelector(IVault.RemovalTooSoon.selector, notBefore));
        vault.setRole(IVault.Role.PriceSigner, vm.addr(SECOND_PRICE_KEY), false);
        vm.warp(notBefore - 1);
        vm.expectRevert(abi.encodeWithSelector(IVault.RemovalTooSoon.selector, notBefore));
        vault.setRole(IVault.Role.PriceSigner, vm.addr(SECOND_PRICE_KEY), false);
        vm.warp(notBefore);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(SECOND_PRICE_KEY), false);
        assertEq(vault.requiredSignatures(), 2, "both of two");
        vm.stopPrank();
    }

    /// @dev With one host down of four, whatever the guardian removes and raises, two signers are left to liquidate.
    function test_W5_liquidates_with_a_hostile_guardian_and_a_host_down() public {
        appointFourth();
        raise();
        vm.prank(guardian, guardian);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(FOURTH_PRICE_KEY), false);
        vm.prank(guardian, guardian);
        vm.expectPartialRevert(IVault.RemovalTooSoon.selector);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(THIRD_PRICE_KEY), false);
        IVenueExchange.Order memory o = orderOf(held, 1, 600e6, 216e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Liquidate, 3_600, 3_600);
        order(held, o, a, signedBy(pair(SECOND_PRICE_KEY, THIRD_PRICE_KEY), attestationDigest(a)));
        assertTrue(vault.isLiveOrder(held, exchange.hashOrder(o)), "two of the three that are left");
    }

    function test_V6_alarm_ends_what_was_granted_before() public {
        IVenueExchange.Order memory o = authorizeSale(held, IVault.Purpose.Unwind, 100e6, 5_000);
        bytes32 orderHash = exchange.hashOrder(o);
        address account = vault.accountOf(held);
        assertTrue(vault.isLiveOrder(held, orderHash), "live");
        vm.prank(stranger, stranger);
        vm.expectPartialRevert(IVault.OrderLive.selector);
        vault.finalize(held);
        raise();
        assertTrue(!vault.isLiveOrder(held, orderHash), "no longer");
        assertEq(uint32(IERC1271(account).isValidSignature(orderHash, "")), uint32(0xffffffff), "nor signed for");
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(yesId, 0, 50e6, 100e6);
        vm.expectRevert(IVenueExchange.InvalidSignature.selector);
        matchWith(o, makers, 100e6, 0);
        vm.prank(stranger, stranger);
        vault.finalize(held);
        assertAllowancesOff(held);
    }

    function test_V6_alarm_lasts_six_hours_and_comes_back_after_seven_days_only() public {
        appointFourth();
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = closing();
        uint256 endsAt = raise();
        moveTo(endsAt - 1);
        a.observedAt = uint64(endsAt - 1);
        bytes memory two = signAttestation(a);
        vm.expectRevert(abi.encodeWithSelector(IVault.SignaturesRequired.selector, 3));
        order(held, o, a, two);
        moveTo(endsAt);
        assertEq(vault.requiredSignatures(), 2, "over");
        a.observedAt = uint64(endsAt);
        order(held, o, a, signAttestation(a));
        vm.startPrank(owner, owner);
        vm.expectRevert(abi.encodeWithSelector(IVault.AlarmTooSoon.selector, endsAt + 7 days));
        vault.raiseAlarm();
        moveTo(endsAt + 7 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IVault.AlarmTooSoon.selector, endsAt + 7 days));
        vault.raiseAlarm();
        moveTo(endsAt + 7 days);
        vm.expectEmit();
        emit IVault.AlarmRaised(endsAt + 7 days + 6 hours);
        vault.raiseAlarm();
        vm.stopPrank();
    }

    /// @dev An order granted in one alarm, and one granted between two, are not orders of the next.
    function test_V6_each_alarm_ends_what_was_granted_before_it() public {
        appointFourth();
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = closing();
        uint256 endsAt = raise();
        order(held, o, a, signedBy(allPriceKeys(), attestationDigest(a)));
        assertTrue(vault.isLiveOrder(held, exchange.hashOrder(o)), "granted in the first");
        moveTo(endsAt + 7 days);
        o = orderOf(held, 1, 300e6, 150e6);
        a.observedAt = uint64(block.timestamp);
        order(held, o, a, signAttestation(a));
        assertTrue(vault.isLiveOrder(held, exchange.hashOrder(o)), "granted between");
        raise();
        assertTrue(!vault.isLiveOrder(held, exchange.hashOrder(o)), "not granted in the second");
    }

    function test_V6_strangers_and_keepers_raise_no_alarm() public {
        address[4] memory callers = [stranger, keeper, alice, vm.addr(PRICE_KEY)];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.prank(callers[i], callers[i]);
            vm.expectRevert(IVault.NotGuardian.selector);
            vault.raiseAlarm();
        }
        vm.prank(owner, owner);
        vault.raiseAlarm();
    }

    /// @dev One signer gone and the alarm on: nothing opens or sells, and every way out is open.
    function test_V6_exits_do_not_notice_an_alarm() public {
        bytes32 waiting = create(seeded(30), alice);
        bytes32 bought = create(seeded(31), alice);
        fillWhole(authorizeOpen(bought, 5_000), 9e6);
        raise();
        vm.prank(stranger, stranger);
        vm.expectRevert(IVault.NotFinalizableYet.selector);
        vault.finalize(bought);
        vm.startPrank(alice, alice);
        vault.cancelPosition(bought);
        assertState(bought, IVault.PositionState.Open);
        vault.cancelPosition(waiting);
        assertState(waiting, IVault.PositionState.Cancelled);
        vault.requestClose(held, 300e6, 0);
        vault.addMargin(held, 50e6);
        vault.exitByRepaying(held, alice);
        vm.stopPrank();
        assertState(held, IVault.PositionState.Closed);
        resolve(1, 0);
        vm.startPrank(stranger, stranger);
        vault.settle(bought);
        assertState(bought, IVault.PositionState.Settled);
        usdc.mint(vault.accountOf(bought), 1e6);
        vault.claim(bought);
        vm.stopPrank();
        assertSolvent();
    }
}
