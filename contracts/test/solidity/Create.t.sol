// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {Vault} from "../../src/Vault.sol";
import {QuoteBits} from "./QuoteBits.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice Every check of createPosition and registerOutcome, and what a signature binds.
contract CreateTest is VaultFixture {
    function refuse(IVault.CreateRequest memory r, bytes4 selector) internal {
        bytes memory signature = signQuote(r, alice);
        vm.prank(alice, alice);
        vm.expectRevert(selector);
        vault.createPosition(r, signature);
    }

    /// @dev Submits a changed request with the signature of the original.
    function refuseChanged(IVault.CreateRequest memory changed) internal {
        bytes memory signature = signQuote(request(), alice);
        vm.prank(alice, alice);
        vm.expectRevert(IVault.InvalidQuoteSignature.selector);
        vault.createPosition(changed, signature);
    }

    function test_every_signed_field_is_bound() public {
        IVault.CreateRequest memory r = request();
        r.positionSeed = bytes16(uint128(r.positionSeed) + 1);
        refuseChanged(r);
        r = request();
        r.venueMarketId = bytes32(uint256(r.venueMarketId) ^ 1);
        refuseChanged(r);
        r = request();
        r.venueTokenId ^= 1;
        refuseChanged(r);
        r = request();
        r.collateralUsdcUnits += 1;
        refuseChanged(r);
        r = request();
        r.leverageBps += 1;
        refuseChanged(r);
        r = request();
        r.notionalUsdcUnits += 1;
        refuseChanged(r);
        r = request();
        r.originationFeeBps -= 1;
        refuseChanged(r);
        r = request();
        r.lifetimeFeeAprBps -= 1;
        refuseChanged(r);
        r = request();
        r.liquidationFeeBps -= 1;
        refuseChanged(r);
        r = request();
        r.signatureExpiry += 1;
        refuseChanged(r);
    }

    function test_F1_caller_chain_and_vault_are_bound() public {
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, alice);
        vm.prank(bob, bob);
        vm.expectRevert(IVault.InvalidQuoteSignature.selector);
        vault.createPosition(r, signature);
        vm.chainId(1);
        vm.prank(alice, alice);
        vm.expectRevert(IVault.InvalidQuoteSignature.selector);
        vault.createPosition(r, signature);
        vm.chainId(31_337);
    }

    function test_F1_another_vault_refuses_the_signature() public {
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, alice);
        VaultFixture.setUp();
        vm.prank(alice, alice);
        vm.expectRevert(IVault.InvalidQuoteSignature.selector);
        vault.createPosition(r, signature);
    }

    /// @dev Signature and window are checked before every range, so no flipped bit is refused for another reason.
    function testFuzz_F2_no_flipped_bit_is_accepted(uint256 seed) public {
        QuoteBits.Signed memory s = QuoteBits.Signed(request(), alice, block.chainid, address(vault));
        bytes memory signature = signQuote(s.request, alice);
        for (uint256 field = 0; field < QuoteBits.FIELDS; ++field) {
            uint256 bit = uint256(keccak256(abi.encode(seed, field))) % QuoteBits.width(field);
            // A chain id of the test's machine has 63 bits.
            if (field == QuoteBits.CHAIN) bit %= 63;
            submitFlipped(QuoteBits.flipped(s, field, bit), signature);
        }
        create(s.request, alice);
    }

    /// @dev Submits values with the signature of others, on the chain, to the vault and by the user they name.
    function submitFlipped(QuoteBits.Signed memory t, bytes memory signature) private {
        bytes4 expected = IVault.InvalidQuoteSignature.selector;
        if (t.request.signatureExpiry < block.timestamp) expected = IVault.SignatureExpired.selector;
        else if (t.request.signatureExpiry > block.timestamp + 600) expected = IVault.SignatureTooFarAhead.selector;
        uint256 chainId = block.chainid;
        if (t.vault != address(vault)) copyVaultTo(t.vault);
        vm.chainId(t.chainId);
        vm.prank(t.user, t.user);
        vm.expectRevert(expected);
        Vault(t.vault).createPosition(t.request, signature);
        vm.chainId(chainId);
    }

    /// @dev The same code with the same quote signer at another address; a signature for that address passes there.
    function copyVaultTo(address copied) private {
        vm.etch(copied, address(vault).code);
        for (uint256 slot = 0; slot < 5; ++slot) {
            vm.store(copied, bytes32(slot), vm.load(address(vault), bytes32(slot)));
        }
        assertEq(Vault(copied).quoteSigner(), vault.quoteSigner(), "the same quote signer");
        (Vault original, IVault.CreateRequest memory r) = (vault, request());
        vault = Vault(copied);
        bytes memory signature = signQuote(r, alice);
        vault = original;
        vm.prank(alice, alice);
        vm.expectRevert(IVault.UnknownOutcome.selector);
        Vault(copied).createPosition(r, signature);
    }

    function test_F3_other_encodings_of_a_signature_are_refused() public {
        IVault.CreateRequest memory r = request();
        (uint8 v, bytes32 rWord, bytes32 s) = vm.sign(QUOTE_KEY, quoteDigest(r, alice));
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        bytes[6] memory encodings = [
            abi.encodePacked(rWord, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27)),
            abi.encodePacked(rWord, s, v - 27),
            abi.encodePacked(rWord, v == 27 ? s : bytes32(uint256(s) | (1 << 255))),
            abi.encodePacked(rWord, s, v, uint8(0)),
            abi.encodePacked(bytes32(0), s, v),
            bytes("")
        ];
        for (uint256 i = 0; i < encodings.length; ++i) {
            vm.prank(alice, alice);
            vm.expectRevert(IVault.InvalidQuoteSignature.selector);
            vault.createPosition(r, encodings[i]);
        }
    }

    function test_F4_window_of_a_signature() public {
        IVault.CreateRequest memory r = request();
        r.signatureExpiry = block.timestamp - 1;
        refuse(r, IVault.SignatureExpired.selector);
        r.signatureExpiry = block.timestamp + 601;
        refuse(r, IVault.SignatureTooFarAhead.selector);
        r.signatureExpiry = block.timestamp + 600;
        create(r, alice);
        r.positionSeed = bytes16(uint128(2) << 64);
        r.signatureExpiry = block.timestamp;
        create(r, alice);
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
        uint256 asked = r.collateralUsdcUnits + (r.notionalUsdcUnits * r.originationFeeBps) / 10_000 + r.venueFeeUsdcUnits;
        assertEq(before - usdc.balanceOf(alice), asked, "and paid once");
    }

    function test_ranges() public {
        IVault.CreateRequest memory r = requestOf(bytes16(uint128(5) << 64), 100e6, 14_999);
        refuse(r, IVault.LeverageOutOfRange.selector);
        refuse(requestOf(r.positionSeed, 100e6, 100_001), IVault.LeverageOutOfRange.selector);
        refuse(requestOf(r.positionSeed, 999_999, 20_000), IVault.CollateralOutOfRange.selector);
        refuse(requestOf(r.positionSeed, 1e14 + 1, 20_000), IVault.CollateralOutOfRange.selector);
        refuse(requestOf(r.positionSeed, 5e13 + 1, 20_000), IVault.CollateralOutOfRange.selector);
        r = request();
        r.notionalUsdcUnits += 1;
        refuse(r, IVault.NotionalMismatch.selector);
        r = request();
        r.originationFeeBps = 501;
        refuse(r, IVault.FeeAboveMaximum.selector);
        r = request();
        r.lifetimeFeeAprBps = 2_001;
        refuse(r, IVault.FeeAboveMaximum.selector);
        r = request();
        r.liquidationFeeBps = 1_001;
        refuse(r, IVault.FeeAboveMaximum.selector);
        r = request();
        r.venueFeeUsdcUnits = 30e6 + 1;
        refuse(r, IVault.VenueFeeAboveMaximum.selector);
        r = request();
        r.minPositionTokenUnits = uint256(type(uint56).max) + 1;
        refuse(r, IVault.UserLimitOutOfRange.selector);
        r = request();
        r.minFillBps = 0;
        refuse(r, IVault.UserLimitOutOfRange.selector);
        r.minFillBps = 10_001;
        refuse(r, IVault.UserLimitOutOfRange.selector);
    }

    function test_edges_of_the_ranges_are_accepted() public {
        IVault.CreateRequest memory r = requestOf(bytes16(uint128(5) << 64), 1_000_000, 15_000);
        (r.originationFeeBps, r.lifetimeFeeAprBps, r.liquidationFeeBps) = (500, 2_000, 1_000);
        r.venueFeeUsdcUnits = 150_000;
        r.minPositionTokenUnits = type(uint56).max;
        r.maxLiquidationPricePips = type(uint32).max;
        r.minFillBps = 1;
        bytes32 key = create(r, alice);
        assertEq(vault.positionOf(key).maxLiquidationPricePips, 10_000, "more than 1 USD means 1 USD");
        create(requestOf(bytes16(uint128(6) << 64), 1_000_000, 100_000), alice);
    }

    function test_pause_blocks_creation() public {
        IVault.CreateRequest memory r = request();
        vm.prank(guardian, guardian);
        vault.pauseOpening();
        refuse(r, IVault.OpeningIsPaused.selector);
        vm.prank(owner, owner);
        vault.resumeOpening();
        create(r, alice);
    }

    function test_rotation_of_the_quote_signer_invalidates_old_signatures() public {
        IVault.CreateRequest memory r = request();
        vm.prank(owner, owner);
        vault.setQuoteSigner(bob);
        refuse(r, IVault.InvalidQuoteSignature.selector);
        vm.prank(guardian, guardian);
        vault.setQuoteSigner(address(0));
        refuse(r, IVault.InvalidQuoteSignature.selector);
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

    function test_permit_that_someone_sent_first() public {
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

    function test_register_outcome() public {
        uint32 id = vault.registerOutcome(oracle, QUESTION, 2);
        assertEq(id, 2, "second id");
        IVault.Outcome memory o = vault.outcomeOf(id);
        assertEq(o.conditionId, conditionId, "condition");
        assertEq(o.tokenId, noId, "token");
        assertEq(o.indexSet, 2, "index set");
        assertEq(vault.outcomeIdOf(conditionId, noId), id, "by name");
        vm.expectRevert(abi.encodeWithSelector(IVault.OutcomeExists.selector, id));
        vault.registerOutcome(oracle, QUESTION, 2);
        vm.expectRevert(IVault.ConditionNotBinary.selector);
        vault.registerOutcome(oracle, QUESTION, 3);
        vm.expectRevert(IVault.ConditionNotBinary.selector);
        vault.registerOutcome(oracle, QUESTION, 0);
        vm.expectRevert(IVault.ConditionNotBinary.selector);
        vault.registerOutcome(oracle, keccak256("unprepared"), 1);
        vm.expectRevert(abi.encodeWithSelector(IVault.OracleNotAllowed.selector, bob));
        vault.registerOutcome(bob, QUESTION, 1);
    }

    function test_three_outcomes_are_refused() public {
        tokens.prepareCondition(oracle, keccak256("three"), 3);
        vm.expectRevert(IVault.ConditionNotBinary.selector);
        vault.registerOutcome(oracle, keccak256("three"), 1);
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
}
