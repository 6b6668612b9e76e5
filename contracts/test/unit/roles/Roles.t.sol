// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {NonRenounceableOwnable2Step} from "../../../src/NonRenounceableOwnable2Step.sol";
import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Rights of roles, and separation of keys.
contract RolesTest is VaultFixture {
    function unauthorized(address caller) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller);
    }

    function test_owner_only() public {
        address[4] memory callers = [guardian, keeper, alice, vm.addr(PRICE_KEY)];
        ILiquidityPool.Parameters memory p = pool.parametersOf();
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.startPrank(callers[i], callers[i]);
            vm.expectRevert(unauthorized(callers[i]));
            vault.resumeOpening();
            vm.expectRevert(unauthorized(callers[i]));
            vault.setGuardian(callers[i]);
            vm.expectRevert(unauthorized(callers[i]));
            vault.setQuoteSigner(callers[i]);
            vm.expectRevert(unauthorized(callers[i]));
            vault.setRole(IVault.Role.Keeper, callers[i], true);
            vm.expectRevert(unauthorized(callers[i]));
            vault.setRole(IVault.Role.Oracle, oracle, false);
            vm.expectRevert(unauthorized(callers[i]));
            vault.setBuilder(bytes32("x"), true);
            vm.expectRevert(unauthorized(callers[i]));
            vault.impair(bytes32(0), false);
            if (callers[i] != guardian) {
                vm.expectRevert(unauthorized(callers[i]));
                vault.impair(bytes32(0), true);
            }
            vm.expectRevert(unauthorized(callers[i]));
            pool.setTreasury(callers[i]);
            vm.expectRevert(unauthorized(callers[i]));
            pool.setParameters(p);
            vm.expectRevert(unauthorized(callers[i]));
            pool.setOutcomeCap(1, true, 0);
            vm.expectRevert(ILiquidityPool.OnlyVault.selector);
            pool.lend(bytes32(0), 1, callers[i], 1);
            vm.expectRevert(ILiquidityPool.OnlyVault.selector);
            pool.book(bytes32(0), 1, ILiquidityPool.Booking(0, 0, 0, 0, 0, 0));
            vm.expectRevert(ILiquidityPool.OnlyVault.selector);
            pool.impair(bytes32(0), 1, 1);
            vm.stopPrank();
        }
    }

    function test_guardian_pauses_and_removes_but_never_adds() public {
        vm.startPrank(owner, owner);
        vault.setRole(IVault.Role.Keeper, address(0x5ab1), true);
        vault.setRole(IVault.Role.PriceSigner, address(0x5ab2), true);
        vm.stopPrank();
        vm.startPrank(guardian, guardian);
        vault.pauseOpening();
        assertTrue(vault.openingPaused(), "paused");
        vault.setRole(IVault.Role.Keeper, keeper, false);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), false);
        vault.setQuoteSigner(address(0));
        assertTrue(!vault.hasRole(IVault.Role.Keeper, keeper), "removed");
        assertEq(vault.quoteSigner(), address(0), "removed");
        vm.expectRevert(unauthorized(guardian));
        vault.setRole(IVault.Role.PriceSigner, guardian, true);
        vm.stopPrank();
        address[2] memory others = [keeper, alice];
        for (uint256 i = 0; i < 2; ++i) {
            vm.startPrank(others[i], others[i]);
            vm.expectRevert(IVault.NotGuardian.selector);
            vault.pauseOpening();
            vm.expectRevert(unauthorized(others[i]));
            vault.setRole(IVault.Role.Keeper, keeper, false);
            vm.expectRevert(unauthorized(others[i]));
            vault.setQuoteSigner(address(0));
            vm.stopPrank();
        }
        vm.startPrank(owner, owner);
        vault.setQuoteSigner(alice);
        vault.resumeOpening();
        vault.pauseOpening();
        vm.stopPrank();
    }

    function test_keys_stay_apart() public {
        address signer = vm.addr(PRICE_KEY);
        vm.startPrank(owner, owner);
        vm.expectRevert(abi.encodeWithSelector(IVault.RolesNotSeparate.selector, signer));
        vault.setRole(IVault.Role.Keeper, signer, true);
        vm.expectRevert(abi.encodeWithSelector(IVault.RolesNotSeparate.selector, keeper));
        vault.setRole(IVault.Role.PriceSigner, keeper, true);
        address quoter = vm.addr(QUOTE_KEY);
        vm.expectRevert(abi.encodeWithSelector(IVault.RolesNotSeparate.selector, quoter));
        vault.setRole(IVault.Role.Keeper, quoter, true);
        vm.expectRevert(abi.encodeWithSelector(IVault.RolesNotSeparate.selector, quoter));
        vault.setRole(IVault.Role.PriceSigner, quoter, true);
        vm.expectRevert(abi.encodeWithSelector(IVault.RolesNotSeparate.selector, keeper));
        vault.setQuoteSigner(keeper);
        vm.expectRevert(abi.encodeWithSelector(IVault.RolesNotSeparate.selector, signer));
        vault.setQuoteSigner(signer);
        vm.expectRevert(IVault.ZeroAddress.selector);
        vault.setRole(IVault.Role.Keeper, address(0), true);
        vm.expectRevert(IVault.RoleRequired.selector);
        vault.setRole(IVault.Role.None, alice, true);
        vault.setRole(IVault.Role.Oracle, keeper, true);
        assertTrue(vault.hasRole(IVault.Role.Oracle, keeper), "an oracle is no key of the service");
        vm.stopPrank();
    }

    function test_builders_and_guardian() public {
        assertTrue(vault.isBuilderAllowed(bytes32(0)) && vault.isBuilderAllowed(bytes32("builder")), "allowed");
        vm.startPrank(owner, owner);
        vault.setBuilder(bytes32("builder"), false);
        assertTrue(!vault.isBuilderAllowed(bytes32("builder")), "removed");
        vault.setGuardian(alice);
        assertEq(vault.guardian(), alice, "guardian");
        vm.stopPrank();
    }

    function test_ownership_moves_in_two_steps() public {
        vm.prank(owner, owner);
        vault.transferOwnership(bob);
        assertEq(vault.owner(), owner, "not yet");
        vm.prank(bob, bob);
        vault.acceptOwnership();
        assertEq(vault.owner(), bob, "accepted");
        assertEq(pool.owner(), owner, "the pool moves by itself");
    }

    function test_ownership_is_never_given_up() public {
        vm.startPrank(owner, owner);
        vm.expectRevert(NonRenounceableOwnable2Step.OwnerRequired.selector);
        vault.renounceOwnership();
        vm.expectRevert(NonRenounceableOwnable2Step.OwnerRequired.selector);
        pool.renounceOwnership();
        vm.stopPrank();
        assertEq(vault.owner(), owner, "owner of the vault");
        assertEq(pool.owner(), owner, "owner of the pool");
        vm.prank(stranger, stranger);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vault.renounceOwnership();
    }

    function test_owner_who_is_guardian_removes_the_last_one() public {
        vm.startPrank(owner, owner);
        vault.setGuardian(owner);
        vault.setRole(IVault.Role.Keeper, keeper, false);
        vm.stopPrank();
        assertTrue(!vault.hasRole(IVault.Role.Keeper, keeper), "the owner's right comes first");
    }

    /// @dev One hot key may take a stolen key away, never the last one: its standby goes on selling.
    function test_guardian_leaves_a_keeper_and_as_many_price_signers_as_an_order_needs() public {
        address standby = address(0x5ab);
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.Keeper, standby, true);
        vm.startPrank(guardian, guardian);
        vault.setRole(IVault.Role.Keeper, keeper, false);
        vm.expectRevert(abi.encodeWithSelector(IVault.LastOfRole.selector, IVault.Role.Keeper));
        vault.setRole(IVault.Role.Keeper, standby, false);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(THIRD_PRICE_KEY), false);
        vm.expectRevert(abi.encodeWithSelector(IVault.PriceThresholdOutOfRange.selector, 2, 1));
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), false);
        vm.stopPrank();
        vm.startPrank(owner, owner);
        vault.setRole(IVault.Role.Keeper, standby, true);
        vault.setRole(IVault.Role.Keeper, standby, false);
        assertTrue(!vault.hasRole(IVault.Role.Keeper, standby), "the owner may remove the last one");
        vault.setRole(IVault.Role.Keeper, standby, false);
        vault.setRole(IVault.Role.Keeper, keeper, true);
        vm.stopPrank();
        vm.prank(guardian, guardian);
        vm.expectRevert(abi.encodeWithSelector(IVault.LastOfRole.selector, IVault.Role.Keeper));
        vault.setRole(IVault.Role.Keeper, keeper, false);
    }

    function test_only_the_owner_of_a_position_may_ask() public {
        bytes32 key = open();
        vm.startPrank(stranger, stranger);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.cancelPosition(key);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.requestClose(key, 600e6, 0);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.addMargin(key, 1);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.exitByRepaying(key, stranger);
        vm.stopPrank();
        vm.startPrank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Open));
        vault.cancelPosition(key);
        vm.expectRevert(IVault.ZeroAddress.selector);
        vault.exitByRepaying(key, address(0));
        vm.expectRevert(abi.encodeWithSelector(IVault.WrongState.selector, IVault.PositionState.Open));
        vault.claim(key);
        vm.expectRevert(IVault.NotResolved.selector);
        vault.settle(key);
        vm.stopPrank();
    }
}
