// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {OrderFixture} from "../../fixtures/OrderFixture.sol";

/// @notice Bound fields of an attestation, and every check of its age and prices, on both sides of each edge.
contract AttestationTest is OrderFixture {
    function test_keeper_alone_moves_nothing() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        bytes memory forged = signedBy(pair(PRICE_KEY, MAKER_KEY), attestationDigest(a));
        vm.prank(keeper, keeper);
        vm.expectRevert(IVault.InvalidAttestationSignature.selector);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, forged);
        vm.prank(keeper, keeper);
        vm.expectRevert(abi.encodeWithSelector(IVault.SignaturesRequired.selector, 2));
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, "");
    }

    function test_price_signer_alone_moves_nothing() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        bytes memory signature = signAttestation(a);
        vm.prank(vm.addr(PRICE_KEY), vm.addr(PRICE_KEY));
        vm.expectRevert(IVault.NotKeeper.selector);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
    }

    function test_every_attested_field_is_bound() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory signedFor) = opening();
        bytes memory signature = signAttestation(signedFor);
        for (uint256 i = 0; i < 6; ++i) {
            IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
            if (i == 0) a.markPips += 1;
            if (i == 1) a.limitPips += 1;
            if (i == 2) a.triggerPips += 1;
            if (i == 3) a.venueFeeBps -= 1;
            if (i == 4) a.exitBufferBps -= 1;
            if (i == 5) a.observedAt -= 1;
            vm.prank(keeper, keeper);
            vm.expectRevert(IVault.InvalidAttestationSignature.selector);
            vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
        }
    }

    function test_removed_price_signer_is_refused_and_the_standby_works() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.PriceSigner, maker, true);
        vm.prank(guardian, guardian);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(PRICE_KEY), false);
        refuse(pending, o, a, IVault.InvalidAttestationSignature.selector);
        bytes memory signature = signedBy(pair(MAKER_KEY, THIRD_PRICE_KEY), attestationDigest(a));
        vm.prank(keeper, keeper);
        vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
    }

    function test_attestation_of_another_purpose_market_or_token() public {
        (IVenueExchange.Order memory o, ) = opening();
        for (uint256 i = 0; i < 3; ++i) {
            IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
            if (i == 0) a.purpose = uint8(IVault.Purpose.Close);
            if (i == 1) a.tokenId = noId;
            if (i == 2) a.marketId = bytes32(uint256(1));
            bytes memory signature = signAttestation(a);
            vm.prank(keeper, keeper);
            vm.expectRevert(IVault.AttestationMismatch.selector);
            vault.authorizeOrder(pending, IVault.Purpose.Open, o, uint64(block.timestamp + 60), a, signature);
        }
    }

    function test_F4_age_of_an_attestation() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        a.observedAt = uint64(block.timestamp + 1);
        refuse(pending, o, a, IVault.AttestationStale.selector);
        a.observedAt = uint64(block.timestamp - 31);
        refuse(pending, o, a, IVault.AttestationStale.selector);
        a.observedAt = uint64(block.timestamp - 30);
        authorize(pending, o, a);
    }

    function test_attested_prices() public {
        (IVenueExchange.Order memory o, IVault.PriceAttestation memory a) = opening();
        a.exitBufferBps = 1_501;
        refuse(pending, o, a, IVault.AttestationBufferTooHigh.selector);
        a.exitBufferBps = 800;
        (a.markPips, a.limitPips) = (0, 5_000);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (10_001, 10_000);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (5_000, 0);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (10_000, 10_001);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (5_000, 6_001);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (5_000, 3_999);
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        (a.markPips, a.limitPips) = (5_000, 5_000);
        a.venueFeeBps = 10_001;
        refuse(pending, o, a, IVault.AttestationPriceOutOfRange.selector);
        a.venueFeeBps = 350;
        (a.markPips, a.limitPips) = (5_000, 6_000);
        a.exitBufferBps = 1_500;
        authorize(pending, o, a);
    }
}
