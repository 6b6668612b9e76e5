// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IGrantFiller} from "../../../src/interfaces/IGrantFiller.sol";
import {IPairFiller} from "../../../src/interfaces/IPairFiller.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {PairFiller} from "../../../src/periphery/PairFiller.sol";
import {CallbackFiller} from "../../fixtures/GrantFillers.sol";
import {WrappedFixture} from "../../fixtures/WrappedFixture.sol";

/// @notice Opening grants filled with pairs, every refusal, and an empty contract after each of them.
contract PairFillerTest is WrappedFixture {
    PairFiller internal pairs;
    /// @dev A caller with USDC and one approval, and without tokens.
    address internal pairer = address(0x0b02);

    function setUp() public override {
        super.setUp();
        pairs = PairFiller(deploy("PairFiller.sol:PairFiller", abi.encode(vault)));
        usdc.mint(pairer, 1_000e6);
        vm.prank(pairer, pairer);
        usdc.approve(address(pairs), type(uint256).max);
    }

    function fillByPairs(bytes32 key, uint256 give, uint256 take) internal returns (uint256, uint256) {
        vm.prank(pairer, pairer);
        return pairs.fill(key, give, take, noId);
    }

    function refusePairs(bytes32 key, uint256 complementTokenId, bytes4 selector) internal {
        vm.prank(pairer, pairer);
        vm.expectPartialRevert(selector);
        pairs.fill(key, 600e6, 300e6, complementTokenId);
        assertEmpty();
    }

    /// @dev Without USDC and tokens, whatever was done.
    function assertEmpty() internal view {
        assertEq(usdc.balanceOf(address(pairs)), 0, "no USDC stays");
        assertEq(tokens.balanceOf(address(pairs), yesId), 0, "nor a token that was given");
        assertEq(tokens.balanceOf(address(pairs), noId), 0, "nor one of the others");
    }

    function newOpening() internal returns (bytes32 key) {
        key = create();
        grantOpen(key, 5_000, 5_000);
    }

    // ------------------------------------------------------------ fills

    function test_opening_is_filled_with_the_vaults_payment_and_what_is_missing() public {
        bytes32 key = newOpening();
        vm.expectEmit();
        emit IVault.GrantFilled(key, address(pairs), IVault.Purpose.Open, 300e6, 600e6, 0);
        (uint256 given, uint256 taken) = fillByPairs(key, 600e6, 300e6);
        assertEq(given, 600e6, "pairs made");
        assertEq(taken, 300e6, "USDC of the vault");
        assertState(key, IVault.PositionState.Open);
        assertEq(tokensOf(key), 600e6, "tokens of the position");
        assertEq(tokens.balanceOf(pairer, noId), 600e6, "the other side is the caller's");
        assertEq(usdc.balanceOf(pairer), 700e6, "for what was missing");
        assertEmpty();
        assertSolvent();
    }

    function test_second_filler_gets_what_is_left_at_its_own_ratio() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        grantOpen(key, 5_000, 5_000);
        fillGrant(key, 400e6, 200e6);
        (uint256 given, uint256 taken) = fillByPairs(key, 600e6 + 1, 300e6);
        assertEq(taken, 100e6, "the rest");
        assertEq(given, 200e6 + 1, "at its ratio, ceil");
        assertEq(tokens.balanceOf(pairer, noId), 200e6 + 1, "as many of the others");
        assertEq(usdc.balanceOf(pairer), 900e6 - 1, "and no more USDC than those cost");
        assertState(key, IVault.PositionState.Open);
        assertEmpty();
    }

    function test_payment_above_the_cost_of_pairs_goes_to_the_caller() public {
        IVault.CreateRequest memory r = request();
        r.maxLiquidationPricePips = 10_000;
        bytes32 key = create(r, alice);
        grantOpen(key, 9_900, 9_900);
        skip(10);
        (uint256 given, uint256 taken) = vault.quoteFill(key, type(uint256).max);
        assertTrue(taken > given, "the fee part lifts the price above 1 USD");
        fillByPairs(key, given, taken);
        assertEq(usdc.balanceOf(pairer), 1_000e6 + taken - given, "what is left of the payment");
        assertEq(tokens.balanceOf(pairer, noId), given, "the other side");
        assertEmpty();
    }

    function test_caller_with_code_receives_its_tokens_last() public {
        CallbackFiller contracted = new CallbackFiller(vault);
        usdc.mint(address(contracted), 300e6);
        bytes32 key = newOpening();
        bytes32 other = create(seeded(2), alice);
        grantOpen(other, 5_000, 5_000);
        contracted.call(address(usdc), abi.encodeCall(usdc.approve, (address(pairs), type(uint256).max)));
        contracted.arm(address(pairs), abi.encodeCall(pairs.fill, (other, 600e6, 300e6, noId)));
        contracted.call(address(pairs), abi.encodeCall(pairs.fill, (key, 600e6, 300e6, noId)));
        bytes4 locked = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
        assertTrue(!contracted.attempted() && bytes4(contracted.answer()) == locked, "one fill at a time");
        assertEq(tokens.balanceOf(address(contracted), noId), 600e6, "the other side");
        assertState(key, IVault.PositionState.Open);
        assertEmpty();
    }

    function testFuzz_pairs_cost_their_number_less_the_payment(uint256 second, uint256 part, uint256 mark) public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 2_000;
        bytes32 key = create(r, alice);
        uint32 markPips = uint32(bound(mark, 500, 9_500));
        grantOpen(key, markPips, markPips + markPips / 50);
        skip(bound(second, 0, 10));
        (uint256 given, uint256 taken) = vault.quoteFill(key, bound(part, 80e6, 6_000e6));
        if (given == 0) return;
        usdc.mint(pairer, 6_000e6);
        uint256 money = usdc.balanceOf(pairer);
        (uint256 gave, uint256 took) = fillByPairs(key, given, taken);
        assertEq(gave, given, "given as quoted");
        assertEq(took, taken, "taken as quoted");
        assertEq(usdc.balanceOf(pairer) + given, money + taken, "a pair is 1 USD");
        assertEq(tokens.balanceOf(pairer, noId), given, "the other side");
        assertEmpty();
        assertSolvent();
    }

    // ------------------------------------------------------------ refusals

    function test_refuses_a_wrong_complement() public {
        bytes32 key = newOpening();
        refusePairs(key, yesId, IPairFiller.WrongComplement.selector);
        refusePairs(key, noId ^ 4, IPairFiller.WrongComplement.selector);
        refusePairs(key, 0, IPairFiller.WrongComplement.selector);
        assertEq(usdc.balanceOf(pairer), 1_000e6, "nothing was taken");
    }

    function test_refuses_a_sale() public {
        bytes32 key = openByFill();
        requestClose(key, 600e6, 0);
        grant(key, IVault.Purpose.Close, 600e6, 5_000, 5_000);
        refusePairs(key, noId, IPairFiller.NotAnOpening.selector);
        grant(key, IVault.Purpose.Unwind, 600e6, 3_000, 3_000);
        refusePairs(key, noId, IPairFiller.NotAnOpening.selector);
    }

    function test_passes_on_what_the_vault_refuses() public {
        refusePairs(bytes32(uint256(1)), noId, IVault.GrantNotLive.selector);
        bytes32 key = create();
        refusePairs(key, noId, IVault.GrantNotLive.selector);
        grantOpen(key, 4_900, 4_900);
        refusePairs(key, noId, IVault.GrantPriceTooPoor.selector);
        skip(11);
        refusePairs(key, noId, IVault.GrantNotLive.selector);
        grantOpen(key, 5_000, 5_000);
        resolve(1, 0);
        refusePairs(key, noId, IVault.OutcomeDecided.selector);
    }

    function test_takes_from_its_caller_alone() public {
        bytes32 key = newOpening();
        vm.prank(stranger, stranger);
        vm.expectRevert();
        pairs.fill(key, 600e6, 300e6, noId);
        assertEq(usdc.balanceOf(pairer), 1_000e6, "USDC of another who approved");
        assertEmpty();
        // Fewer USDC than are missing.
        vm.prank(pairer, pairer);
        usdc.transfer(stranger, 700e6 + 1);
        vm.prank(pairer, pairer);
        vm.expectRevert();
        pairs.fill(key, 600e6, 300e6, noId);
        assertEq(vault.grantOf(key).filledUnits, 0, "nothing is filled");
    }

    function test_callback_is_of_the_vault_and_of_its_own_fill() public {
        bytes memory data = abi.encode(PairFiller.Pair(pairer, address(tokens), conditionId, noId));
        vm.prank(pairer, pairer);
        vm.expectRevert(IPairFiller.NotInsideFill.selector);
        pairs.onGrantFill(bytes32(0), 600e6, 300e6, data);
        vm.prank(address(vault), stranger);
        vm.expectRevert(IPairFiller.NotInsideFill.selector);
        pairs.onGrantFill(bytes32(0), 600e6, 300e6, data);
        // A caller with code whose own fill the vault answers cannot pass the call on either.
        CallbackFiller foreign = new CallbackFiller(vault);
        fundFiller(address(foreign));
        foreign.arm(address(pairs), abi.encodeCall(IGrantFiller.onGrantFill, (bytes32(0), 600e6, 300e6, data)));
        foreign.call(address(vault), abi.encodeCall(IVault.fill, (newOpening(), 600e6, 300e6, hex"01")));
        assertTrue(!foreign.attempted(), "refused");
        assertEq(bytes32(bytes4(foreign.answer())), bytes32(IPairFiller.NotInsideFill.selector), "by name");
        assertEq(usdc.balanceOf(pairer), 1_000e6, "nothing was taken");
        assertEmpty();
    }

    function test_takes_no_tokens_outside_of_a_fill() public {
        vm.startPrank(filler, filler);
        vm.expectRevert();
        tokens.safeTransferFrom(filler, address(pairs), noId, 1, "");
        vm.expectRevert(IPairFiller.TokensNotFromSplit.selector);
        pairs.onERC1155Received(filler, filler, noId, 1, "");
        vm.expectRevert(IPairFiller.TokensNotFromSplit.selector);
        pairs.onERC1155BatchReceived(filler, filler, new uint256[](1), new uint256[](1), "");
        vm.stopPrank();
        assertEmpty();
    }

    function test_what_others_left_goes_to_the_next_caller() public {
        usdc.mint(address(pairs), 5e6);
        fillByPairs(newOpening(), 600e6, 300e6);
        assertEq(usdc.balanceOf(pairer), 705e6, "with what was left");
        assertEmpty();
    }

    function test_names_its_vault() public view {
        assertEq(pairs.vault(), address(vault), "vault");
    }
}

/// @notice The same with a wrapped collateral, whose adapter makes the pairs.
contract WrappedPairFillerTest is PairFillerTest {
    function isWrapped() internal pure override returns (bool) {
        return true;
    }
}

/// @notice The same on the second ledger, whose router makes the pairs.
contract ManagedPairFillerTest is PairFillerTest {
    function isManaged() internal pure override returns (bool) {
        return true;
    }

    function test_donated_tokens_make_no_complement_of_another_token() public {
        bytes32 other = bytes32(requested(keccak256("another question")));
        usdc.mint(maker, 1_000e6);
        vm.startPrank(maker, maker);
        router.split(bytes31(other), 1_000e6);
        manager.unsafeTransferFrom(maker, address(pairs), uint256(other), 1_000e6);
        vm.stopPrank();
        refusePairs(newOpening(), uint256(other), IPairFiller.WrongComplement.selector);
    }
}
