// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vault} from "../../../src/Vault.sol";
import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice A wrong deployment is refused, and a right one says what it is made of.
contract DeploymentTest is VaultFixture {
    function test_wrong_venues_are_refused() public {
        Vault.Deployment memory d = deployment();
        d.exchange = address(0);
        refuse(d, abi.encodeWithSelector(IVault.VenueWithoutCode.selector, address(0)));
        d.exchange = stranger;
        refuse(d, abi.encodeWithSelector(IVault.VenueWithoutCode.selector, stranger));
        d = deployment();
        bytes4[3] memory named = [
            IVenueExchange.getCollateral.selector,
            IVenueExchange.getCtf.selector,
            IVenueExchange.getOutcomeTokenFactory.selector
        ];
        for (uint256 i = 0; i < named.length; ++i) {
            vm.mockCall(address(exchange), abi.encodeWithSelector(named[i]), abi.encode(stranger));
            refuse(d, abi.encodeWithSelector(IVault.VenueWithoutCode.selector, stranger));
            vm.clearMockedCalls();
        }
        vm.mockCall(address(usdc), abi.encodeWithSignature("decimals()"), abi.encode(18));
        refuse(d, abi.encodeWithSelector(IVault.CollateralDecimals.selector, 18));
        vm.clearMockedCalls();
        address other = address(deployUsdc());
        vm.mockCall(
            address(exchange),
            abi.encodeWithSelector(IVenueExchange.getCtfCollateral.selector),
            abi.encode(other)
        );
        refuse(d, abi.encodeWithSelector(IVault.CollateralNotRedeemed.selector, other, address(usdc)));
        // With an adapter that redeems, the collateral of token ids may be another.
        vm.mockCall(
            address(exchange),
            abi.encodeWithSelector(IVenueExchange.getOutcomeTokenFactory.selector),
            abi.encode(address(exchange))
        );
        assertEq(deployVault(d).ctfCollateral(), other, "wrapped");
        vm.clearMockedCalls();
    }

    function test_venue_without_a_limit_of_its_fee_or_with_a_high_one_is_refused() public {
        Vault.Deployment memory d = deployment();
        uint256[3] memory rates = [uint256(0), 1_001, 9_999];
        for (uint256 i = 0; i < rates.length; ++i) {
            vm.prank(owner, owner);
            exchange.setMaxFeeRate(rates[i]);
            refuse(d, abi.encodeWithSelector(IVault.VenueFeeRateOutOfRange.selector, rates[i]));
        }
        for (uint256 rate = 1; rate <= 1_000; rate += 999) {
            vm.prank(owner, owner);
            exchange.setMaxFeeRate(rate);
            deployVault(d);
        }
    }

    function test_wrong_keys_are_refused() public {
        Vault.Deployment memory d = deployment();
        d.treasury = address(0);
        refuse(d, abi.encodeWithSelector(ILiquidityPool.ZeroAddress.selector));
        d = deployment();
        d.keepers[0] = vm.addr(PRICE_KEY);
        refuse(d, abi.encodeWithSelector(IVault.RolesNotSeparate.selector, d.keepers[0]));
        d = deployment();
        for (uint256 threshold = 0; threshold <= 4; ++threshold) {
            d.priceThreshold = threshold;
            if (threshold == 2 || threshold == 3) assertEq(deployVault(d).priceThreshold(), threshold, "taken");
            else refuse(d, abi.encodeWithSelector(IVault.PriceThresholdOutOfRange.selector, threshold, 3));
        }
        d.priceThreshold = 3;
        d.priceSigners[2] = d.priceSigners[0];
        refuse(d, abi.encodeWithSelector(IVault.PriceThresholdOutOfRange.selector, 3, 2));
    }

    function refuse(Vault.Deployment memory d, bytes memory reason) private {
        vm.expectRevert(reason);
        deployVault(d);
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
        assertEq(vault.domainSeparator(), domainSeparator(), "domain");
    }
}
