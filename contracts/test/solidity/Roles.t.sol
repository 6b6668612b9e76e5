// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {LastingOwner} from "../../src/LastingOwner.sol";
import {Vault} from "../../src/Vault.sol";
import {TestUsdc} from "../../venue/TestUsdc.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice Who may set what, that keys stay apart, and that a wrong deployment is refused.
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
            vault.writeOff(bytes32(0));
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
        vm.expectRevert(LastingOwner.OwnerRequired.selector);
        vault.renounceOwnership();
        vm.expectRevert(LastingOwner.OwnerRequired.selector);
        pool.renounceOwnership();
        vm.stopPrank();
        assertEq(vault.owner(), owner, "owner of the vault");
        assertEq(pool.owner(), owner, "owner of the pool");
        vm.prank(stranger, stranger);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vault.renounceOwnership();
    }

    function test_wrong_deployments_are_refused() public {
        Vault.Deployment memory d = deployment();
        address[5] memory kept = [d.usdc, d.conditionalTokens, d.ctfCollateral, d.redeemer, d.exchange];
        for (uint256 i = 0; i < 5; ++i) {
            d = deployment();
            if (i == 0) d.usdc = address(0);
            if (i == 1) d.conditionalTokens = address(0);
            if (i == 2) d.ctfCollateral = address(0);
            if (i == 3) d.redeemer = address(0);
            if (i == 4) d.exchange = address(0);
            vm.expectRevert(IVault.ZeroAddress.selector);
            deployVault(d);
        }
        assertTrue(kept[0] != address(0), "kept");
        d = deployment();
        d.usdc = address(deployUsdc());
        vm.expectRevert(IVault.DeploymentMismatch.selector);
        deployVault(d);
        d = deployment();
        d.conditionalTokens = address(usdc);
        vm.expectRevert(IVault.DeploymentMismatch.selector);
        deployVault(d);
        d = deployment();
        d.ctfCollateral = address(deployUsdc());
        vm.expectRevert(IVault.DeploymentMismatch.selector);
        deployVault(d);
        vm.prank(owner, owner);
        exchange.setMaxFeeRateBps(1_001);
        d = deployment();
        vm.expectRevert(IVault.DeploymentMismatch.selector);
        deployVault(d);
        vm.prank(owner, owner);
        exchange.setMaxFeeRateBps(1_000);
        vm.mockCall(address(usdc), abi.encodeWithSignature("decimals()"), abi.encode(18));
        vm.expectRevert(IVault.DeploymentMismatch.selector);
        deployVault(d);
        vm.clearMockedCalls();
        d.treasury = address(0);
        vm.expectRevert(ILiquidityPool.ZeroAddress.selector);
        deployVault(d);
        d = deployment();
        d.keepers[0] = vm.addr(PRICE_KEY);
        vm.expectRevert(abi.encodeWithSelector(IVault.RolesNotSeparate.selector, d.keepers[0]));
        deployVault(d);
        deployVault(deployment());
    }

    function test_views_of_a_deployment() public view {
        assertEq(vault.maxOriginationFeeBps(), 500, "highest origination fee");
        assertEq(vault.usdc(), address(usdc), "usdc");
        assertEq(vault.conditionalTokens(), address(tokens), "tokens");
        assertEq(vault.ctfCollateral(), address(usdc), "collateral");
        assertEq(vault.redeemer(), address(tokens), "redeemer");
        assertEq(vault.exchange(), address(exchange), "exchange");
        assertEq(pool.vault(), address(vault), "vault of the pool");
        assertEq(pool.asset(), address(usdc), "asset");
        assertTrue(vault.accountImplementation().code.length != 0, "implementation");
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Vault"),
                keccak256("1"),
                block.chainid,
                address(vault)
            )
        );
        assertEq(vault.domainSeparator(), separator, "domain");
    }
}
