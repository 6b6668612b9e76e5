// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice A venue that changes its highest fee, or takes more than one budget for the fees of an opening.
contract VenueFeesTest is VaultFixture {
    function setRate(uint256 rateBps) private {
        vm.prank(owner, owner);
        exchange.setMaxFeeRate(rateBps);
    }

    function test_V1_nothing_opens_while_the_venue_has_no_limit_or_a_high_one() public {
        bytes32 key = create();
        IVenueExchange.Order memory o = orderOf(key, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        uint256[3] memory rates = [uint256(0), 1_001, 9_999];
        for (uint256 i = 0; i < rates.length; ++i) {
            setRate(rates[i]);
            vm.expectRevert(abi.encodeWithSelector(IVault.VenueFeeRateOutOfRange.selector, rates[i]));
            authorize(key, o, a);
        }
        setRate(1_000);
        authorize(key, o, a);
    }

    /// @dev 200 USD of debt on 600 tokens: what covers it depends on the most the venue may take now.
    function test_V1_attack_venue_lifts_its_limit_to_eat_a_close() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 240e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 4_000, 4_000);
        uint256[3] memory rates = [uint256(0), 1_700, 9_999];
        for (uint256 i = 0; i < rates.length; ++i) {
            setRate(rates[i]);
            vm.expectRevert(IVault.SaleBelowDebt.selector);
            authorize(key, o, a);
        }
        setRate(1_600);
        authorize(key, o, a);
        fillWhole(o, (240e6 * 1_600) / 10_000);
        finalize(key);
        assertState(key, IVault.PositionState.Closed);
        assertEq(vault.positionOf(key).badDebtUsdcUnits, 0, "the most it may take was reckoned with");
    }

    function test_V1_an_attested_fee_above_the_limit_counts() public {
        bytes32 key = open();
        vm.prank(alice, alice);
        vault.requestClose(key, 600e6, 0);
        IVenueExchange.Order memory o = orderOf(key, 1, 600e6, 240e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Close, 4_000, 4_000);
        setRate(1);
        a.venueFeeBps = 1_700;
        vm.expectRevert(IVault.SaleBelowDebt.selector);
        authorize(key, o, a);
        a.venueFeeBps = 1_600;
        authorize(key, o, a);
    }

    function test_V1_unwind_covers_by_the_limit_and_is_sized_by_the_attested_fee() public {
        bytes32 key = open();
        setRate(1_000);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Unwind, 4_000, 4_000);
        a.triggerPips = 1;
        // At most what repays 200 USD at 0.40 less 3.5 %, and 5 tokens.
        uint256 repaying = (uint256(200e6) * 1e8 + 4_000 * 9_650 - 1) / (4_000 * 9_650) + 5e6;
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        assertEq(principal + fees, 200e6, "no fee has accrued yet");
        IVenueExchange.Order memory o = orderOf(key, 1, repaying + 1, ((repaying + 1) * 4_000 + 9_999) / 10_000);
        vm.expectRevert(IVault.OrderAmountOutOfRange.selector);
        authorize(key, o, a);
        o = orderOf(key, 1, repaying, (repaying * 4_000 + 9_999) / 10_000);
        authorize(key, o, a);
    }

    function test_V1_liquidation_and_every_exit_go_on_whatever_the_limit() public {
        bytes32 key = open();
        bytes32 other = open(seeded(2), alice, 5_000);
        setRate(0);
        uint32 price = uint32(vault.liquidationPriceOf(key));
        authorize(key, orderOf(key, 1, 600e6, 600e6), attestation(IVault.Purpose.Liquidate, price, price));
        vm.prank(alice, alice);
        vault.exitByRepaying(other, alice);
        assertState(other, IVault.PositionState.Closed);
        resolve(1, 0);
        vm.prank(stranger, stranger);
        vault.settle(key);
        assertState(key, IVault.PositionState.Settled);
    }

    /// @dev V3: of every order the venue takes all it is allowed. Together that is what was filled and the one budget.
    function test_V3_attack_venue_takes_the_fee_budget_with_every_order() public {
        IVault.CreateRequest memory r = request();
        r.minFillBps = 1_000;
        bytes32 key = create(r, alice);
        address account = vault.accountOf(key);
        uint256 budget = 300e6 + 12e6;
        uint256 origination = 3e6;
        setRate(1_000);
        for (uint256 i = 0; i < 3; ++i) {
            IVenueExchange.Order memory o = orderOf(key, 0, 60e6, 120e6);
            IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
            a.venueFeeBps = 0;
            authorize(key, o, a);
            uint256 left = 12e6 - i * 6e6;
            uint256 allowed = usdc.allowance(account, address(exchange));
            assertEq(allowed, 60e6 + left, "the order, and what is left of the fee");
            fillWhole(o, left < 6e6 ? left : 6e6);
            uint256 spent = budget - (usdc.balanceOf(account) - origination);
            assertLe(spent, (i + 1) * 60e6 + 12e6, "fills and one budget");
        }
        finalize(key);
        assertEq(principalOf(key), 120e6, "the loan pays no fee");
    }

    function test_V3_attack_fee_budget_is_used_up_by_the_first_order() public {
        (bytes32 key, IVenueExchange.Order memory o, ) = createInParts();
        setRate(1_000);
        fillWhole(o, 10e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        // 2 USD are left for fees: 3.5 % of 57.142857 USD.
        o = orderOf(key, 0, 57_142_858, 114_285_716);
        vm.expectRevert(IVault.VenueFeeTooSmall.selector);
        authorize(key, o, a);
        o = orderOf(key, 0, 57_142_857, 114_285_714);
        authorize(key, o, a);
        assertEq(usdc.allowance(vault.accountOf(key), address(exchange)), 59_142_857, "and no unit more");
    }

    /// @dev A donation makes what was spent look smaller, and the budget no larger than it was.
    function test_V3_donation_is_no_budget() public {
        (bytes32 key, IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = createInParts();
        fillWhole(o, 0);
        usdc.mint(vault.accountOf(key), 50e6);
        a.venueFeeBps = 1_200;
        o = orderOf(key, 0, 100e6, 200e6);
        authorize(key, o, a);
        assertEq(usdc.allowance(vault.accountOf(key), address(exchange)), 112e6, "the order and the budget");
        a.venueFeeBps = 1_201;
        o = orderOf(key, 0, 100e6, 200e6);
        vm.expectRevert(IVault.VenueFeeTooSmall.selector);
        authorize(key, o, a);
    }
}
