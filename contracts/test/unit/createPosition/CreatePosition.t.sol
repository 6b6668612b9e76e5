// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Every check of createPosition, and what it takes from its user.
contract CreatePositionTest is VaultFixture {
    function test_create_takes_collateral_and_fees_into_the_account() public {
        uint256 before = usdc.balanceOf(alice);
        bytes32 key = create();
        assertState(key, IVault.PositionState.Pending);
        assertEq(before - usdc.balanceOf(alice), 100e6 + 3e6 + 12e6, "paid");
        assertEq(cashOf(key), 115e6, "held by the account");
        assertEq(pool.bookOf().lentUsdcUnits, 0, "nothing lent yet");
        assertSolvent();
    }

    function test_a_seed_is_used_once_whatever_its_last_four_bytes() public {
        IVault.CreateRequest memory r = request();
        bytes32 key = create(r, alice);
        for (uint256 i = 0; i < 2; ++i) {
            r.positionSeed = bytes16(uint128(r.positionSeed) + uint128(i) * 77);
            bytes memory signature = signQuote(r, alice);
            vm.prank(alice, alice);
            vm.expectRevert(abi.encodeWithSelector(IVault.SeedUsed.selector, key));
            vault.createPosition(r, signature);
        }
        vm.prank(alice, alice);
        vault.cancelPosition(key);
        bytes memory again = signQuote(r, alice);
        vm.prank(alice, alice);
        vm.expectRevert(abi.encodeWithSelector(IVault.SeedUsed.selector, key));
        vault.createPosition(r, again);
        create(r, bob);
    }

    function test_F5_of_fifty_promotions_of_one_draft_one_opens() public {
        uint256 before = usdc.balanceOf(alice);
        IVault.CreateRequest memory r = request();
        uint128 draft = uint128(r.positionSeed) >> 32 << 32;
        uint256 opened;
        for (uint128 i = 0; i < 50; ++i) {
            r.positionSeed = bytes16(draft | (i * 0x051eb851));
            bytes memory signature = signQuote(r, alice);
            vm.prank(alice, alice);
            (bool done, ) = address(vault).call(abi.encodeCall(IVault.createPosition, (r, signature)));
            if (done) ++opened;
        }
        assertEq(opened, 1, "one");
        uint256 origination = (r.notionalUsdcUnits * r.originationFeeBps) / 10_000;
        uint256 asked = r.collateralUsdcUnits + origination + r.venueFeeUsdcUnits;
        assertEq(before - usdc.balanceOf(alice), asked, "and paid once");
    }

    function test_ranges() public {
        IVault.CreateRequest memory r = requestOf(seedOf(5), 100e6, 14_999);
        refuseCreation(r, IVault.LeverageOutOfRange.selector);
        refuseCreation(requestOf(r.positionSeed, 100e6, 100_001), IVault.LeverageOutOfRange.selector);
        refuseCreation(requestOf(r.positionSeed, 999_999, 20_000), IVault.CollateralOutOfRange.selector);
        refuseCreation(requestOf(r.positionSeed, 1e14 + 1, 20_000), IVault.CollateralOutOfRange.selector);
        refuseCreation(requestOf(r.positionSeed, 5e13 + 1, 20_000), IVault.CollateralOutOfRange.selector);
        r = request();
        r.notionalUsdcUnits += 1;
        refuseCreation(r, IVault.NotionalMismatch.selector);
        r = request();
        r.originationFeeBps = 501;
        refuseCreation(r, IVault.FeeAboveMaximum.selector);
        r = request();
        r.lifetimeFeeAprBps = 2_001;
        refuseCreation(r, IVault.FeeAboveMaximum.selector);
        r = request();
        r.liquidationFeeBps = 1_001;
        refuseCreation(r, IVault.FeeAboveMaximum.selector);
        r = request();
        r.venueFeeUsdcUnits = 30e6 + 1;
        refuseCreation(r, IVault.VenueFeeAboveMaximum.selector);
        r = request();
        r.minPositionTokenUnits = uint256(type(uint48).max) + 1;
        refuseCreation(r, IVault.UserLimitOutOfRange.selector);
        r = request();
        r.minFillBps = 0;
        refuseCreation(r, IVault.UserLimitOutOfRange.selector);
        r.minFillBps = 10_001;
        refuseCreation(r, IVault.UserLimitOutOfRange.selector);
    }

    function test_edges_of_the_ranges_are_accepted() public {
        IVault.CreateRequest memory r = requestOf(seedOf(5), 1_000_000, 15_000);
        (r.originationFeeBps, r.lifetimeFeeAprBps, r.liquidationFeeBps) = (500, 2_000, 1_000);
        r.venueFeeUsdcUnits = 150_000;
        r.minPositionTokenUnits = type(uint48).max;
        r.maxLiquidationPricePips = type(uint32).max;
        r.minFillBps = 1;
        bytes32 key = create(r, alice);
        assertEq(vault.positionOf(key).maxLiquidationPricePips, 10_000, "more than 1 USD means 1 USD");
        create(requestOf(seedOf(6), 1_000_000, 100_000), alice);
    }

    /// @dev 29 divides one unit above the greatest notional, so that this notional has a collateral at 2.9 times.
    function test_a_notional_of_one_unit_too_much_is_refused() public {
        IVault.CreateRequest memory r = request();
        r.notionalUsdcUnits = 1e14 + 1;
        r.collateralUsdcUnits = (uint256(1e14 + 1) / 29) * 10;
        r.leverageBps = 29_000;
        r.venueFeeUsdcUnits = 0;
        bytes memory signature = signQuote(r, alice);
        vm.expectRevert(IVault.CollateralOutOfRange.selector);
        vm.prank(alice, alice);
        vault.createPosition(r, signature);
    }

    function test_pause_blocks_creation() public {
        IVault.CreateRequest memory r = request();
        vm.prank(guardian, guardian);
        vault.pauseOpening();
        refuseCreation(r, IVault.OpeningIsPaused.selector);
        vm.prank(owner, owner);
        vault.resumeOpening();
        create(r, alice);
    }

    /// @dev Alice's permit of what the standard request costs, and no allowance besides.
    function permitAlone() private returns (IVault.Permit memory p) {
        vm.prank(alice, alice);
        usdc.approve(address(vault), 0);
        (p.usdcUnits, p.deadline) = (115e6, block.timestamp);
        bytes32 typeHash = keccak256(
            "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
        );
        bytes32 permitHash = keccak256(
            abi.encode(typeHash, alice, address(vault), p.usdcUnits, usdc.nonces(alice), p.deadline)
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), permitHash));
        (p.v, p.r, p.s) = vm.sign(USER_KEY, digest);
    }

    function test_permit_that_works() public {
        IVault.Permit memory permit = permitAlone();
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, alice);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice, alice);
        bytes32 key = vault.createPositionWithPermit(r, signature, permit);
        assertState(key, IVault.PositionState.Pending);
        assertEq(usdc.nonces(alice), 1, "the vault used the permit");
        assertEq(usdc.allowance(alice, address(vault)), 0, "all of it");
        assertEq(before - usdc.balanceOf(alice), 115e6, "paid");
        assertEq(cashOf(key), 115e6, "into the account");
    }

    function test_permit_that_another_account_sent_first() public {
        IVault.Permit memory p = permitAlone();
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, alice);
        vm.prank(stranger, stranger);
        usdc.permit(alice, address(vault), p.usdcUnits, p.deadline, p.v, p.r, p.s);
        vm.prank(alice, alice);
        bytes32 key = vault.createPositionWithPermit(r, signature, p);
        assertState(key, IVault.PositionState.Pending);
        assertEq(usdc.nonces(alice), 1, "used once");
        assertEq(usdc.allowance(alice, address(vault)), 0, "the permit someone sent first was enough");
    }

    function test_permit_that_fails_leaves_the_allowance_to_decide() public {
        IVault.Permit memory permit = permitAlone();
        permit.v ^= 7;
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, alice);
        vm.prank(alice, alice);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(vault), 0, 115e6)
        );
        vault.createPositionWithPermit(r, signature, permit);
        vm.startPrank(alice, alice);
        usdc.approve(address(vault), 115e6);
        bytes32 key = vault.createPositionWithPermit(r, signature, permit);
        vm.stopPrank();
        assertState(key, IVault.PositionState.Pending);
        assertEq(usdc.nonces(alice), 0, "the permit was never good");
        assertEq(cashOf(key), 115e6, "an allowance is enough");
    }

    function testFuzz_quote_ranges_hold_for_every_request(
        uint128 seed,
        uint256 collateral,
        uint32 leverageBps,
        uint256 venueFee,
        uint256 minTokens,
        uint16[5] calldata small
    ) public {
        collateral = bound(collateral, 0, 1e11);
        IVault.CreateRequest memory r = requestOf(bytes16(seed), collateral, leverageBps % 120_000);
        r.venueFeeUsdcUnits = bound(venueFee, 0, r.notionalUsdcUnits / 5);
        r.minPositionTokenUnits = minTokens;
        (r.originationFeeBps, r.lifetimeFeeAprBps, r.liquidationFeeBps) = (
            small[0] % 800,
            small[1] % 3_000,
            small[2] % 1_500
        );
        r.minFillBps = small[3] % 12_000;
        r.maxLiquidationPricePips = small[4];
        bytes memory signature = signQuote(r, alice);
        usdc.mint(alice, 1e13);
        vm.prank(alice, alice);
        (bool done, ) = address(vault).call(abi.encodeCall(IVault.createPosition, (r, signature)));
        if (!done) return;
        assertTrue(r.leverageBps >= 15_000 && r.leverageBps <= 100_000 && collateral >= 1e6, "size");
        assertEq(r.notionalUsdcUnits * 10_000, collateral * r.leverageBps, "identity");
        assertLe(r.originationFeeBps, 500, "origination");
        assertLe(r.lifetimeFeeAprBps, 2_000, "lifetime");
        assertLe(r.liquidationFeeBps, 1_000, "liquidation");
        bytes32 key = vault.positionKeyOf(alice, r.positionSeed);
        uint256 fee = (r.notionalUsdcUnits * r.originationFeeBps + 9_999) / 10_000;
        assertEq(cashOf(key), collateral + fee + r.venueFeeUsdcUnits, "paid in");
    }

    /// @dev A small notional, so that the collateral's own bound is the one that answers.
    function test_the_greatest_collateral_is_in_range_and_a_unit_more_is_not() public {
        IVault.CreateRequest memory r = request();
        r.collateralUsdcUnits = 1e14;
        refuseCreation(r, IVault.NotionalMismatch.selector);
        r.collateralUsdcUnits = 1e14 + 1;
        refuseCreation(r, IVault.CollateralOutOfRange.selector);
    }

    function test_the_greatest_notional_is_accepted() public {
        IVault.CreateRequest memory r = requestOf(seedOf(5), 5e13, 20_000);
        fundUser(alice, 1e14);
        bytes32 key = create(r, alice);
        assertEq(vault.positionOf(key).notionalUsdcUnits, 1e14, "a hundred million USD");
    }

    function test_the_highest_venue_fee_is_rounded_down() public {
        IVault.CreateRequest memory r = requestOf(seedOf(5), 1_000_002, 15_000);
        r.venueFeeUsdcUnits = 150_001;
        refuseCreation(r, IVault.VenueFeeAboveMaximum.selector);
        r.venueFeeUsdcUnits = 150_000;
        bytes32 key = create(r, alice);
        assertEq(vault.positionOf(key).venueFeeUsdcUnits, 150_000, "a tenth of 1.500003 USD");
    }
}
