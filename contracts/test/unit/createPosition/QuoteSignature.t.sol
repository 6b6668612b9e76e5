// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vault} from "../../../src/Vault.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {QuoteBits} from "../../fixtures/QuoteBits.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice Fields that the signature of a quote binds.
contract QuoteSignatureTest is VaultFixture {
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
        super.setUp();
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
        refuseCreation(r, IVault.SignatureExpired.selector);
        r.signatureExpiry = block.timestamp + 601;
        refuseCreation(r, IVault.SignatureTooFarAhead.selector);
        r.signatureExpiry = block.timestamp + 600;
        create(r, alice);
        r.positionSeed = seedOf(2);
        r.signatureExpiry = block.timestamp;
        create(r, alice);
    }

    function test_rotation_of_the_quote_signer_invalidates_old_signatures() public {
        IVault.CreateRequest memory r = request();
        vm.prank(owner, owner);
        vault.setQuoteSigner(bob);
        refuseCreation(r, IVault.InvalidQuoteSignature.selector);
        vm.prank(guardian, guardian);
        vault.setQuoteSigner(address(0));
        refuseCreation(r, IVault.InvalidQuoteSignature.selector);
    }

    function test_open_allowance_to_the_vault_is_of_no_use_to_others() public {
        assertEq(usdc.allowance(alice, address(vault)), type(uint256).max, "alice trusts the vault");
        IVault.CreateRequest memory r = request();
        bytes memory signature = signQuote(r, alice);
        vm.prank(bob, bob);
        vm.expectRevert(IVault.InvalidQuoteSignature.selector);
        vault.createPosition(r, signature);
        bytes32 key = open();
        vm.startPrank(bob, bob);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.addMargin(key, 1e6);
        vm.expectRevert(IVault.NotPositionOwner.selector);
        vault.exitByRepaying(key, bob);
        vm.stopPrank();
    }
}
