// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {FeeMath} from "../../src/libraries/FeeMath.sol";
import {LiquidationMath} from "../../src/libraries/LiquidationMath.sol";
import {OpeningSplit} from "../../src/libraries/OpeningSplit.sol";
import {QuoteDigest} from "../../src/libraries/QuoteDigest.sol";
import {UnitMath} from "../../src/libraries/UnitMath.sol";
import {Waterfall} from "../../src/libraries/Waterfall.sol";
import {Assertions} from "../fixtures/Assertions.sol";
import {QuoteBits} from "../fixtures/QuoteBits.sol";

/// @notice The packed values and the digest as the vault computes them.
contract DigestProbe {
    function packed(
        IVault.CreateRequest calldata r,
        address user,
        uint256 chainId,
        address vault
    ) external pure returns (bytes memory) {
        return QuoteDigest.packed(r, user, chainId, vault);
    }

    function digest(
        IVault.CreateRequest calldata r,
        address user,
        uint256 chainId,
        address vault
    ) external pure returns (bytes32) {
        return QuoteDigest.digest(r, user, chainId, vault);
    }
}

/// @notice Solidity equals TypeScript on the golden vectors both read.
contract ParityTest is Assertions {
    string private constant PRICING = "../packages/pricing/testing/pricing.vectors.json";
    string private constant POSITION = "../packages/position/testing/position.vectors.json";
    string private constant DIGESTS = "../packages/vault/testing/digest.vectors.json";

    string private json;
    mapping(bytes32 digest => bool met) private seen;

    /// @dev The path of a field in row i of a list: "$.list[i].field".
    function path(string memory list, uint256 i, string memory field) private pure returns (string memory) {
        return string.concat("$.", list, "[", vm.toString(i), "].", field);
    }

    function rowsOf(string memory list) private view returns (uint256 rows) {
        rows = keccak256(bytes(list)) == keccak256("vectors") ? 64 : 120;
        assertTrue(vm.keyExistsJson(json, string.concat("$.", list, "[", vm.toString(rows - 1), "]")), "all rows");
        assertTrue(!vm.keyExistsJson(json, string.concat("$.", list, "[", vm.toString(rows), "]")), "no more rows");
    }

    function column(string memory list, string memory field) private view returns (uint256[] memory c) {
        c = new uint256[](rowsOf(list));
        for (uint256 i = 0; i < c.length; ++i) c[i] = vm.parseJsonUint(json, path(list, i, field));
    }

    function words(string memory field) private view returns (bytes32[] memory c) {
        c = new bytes32[](rowsOf("vectors"));
        for (uint256 i = 0; i < c.length; ++i) c[i] = vm.parseJsonBytes32(json, path("vectors", i, field));
    }

    function addresses(string memory field) private view returns (address[] memory c) {
        c = new address[](rowsOf("vectors"));
        for (uint256 i = 0; i < c.length; ++i) c[i] = vm.parseJsonAddress(json, path("vectors", i, field));
    }

    function strings(string memory field) private view returns (bytes[] memory c) {
        c = new bytes[](rowsOf("vectors"));
        for (uint256 i = 0; i < c.length; ++i) c[i] = vm.parseJsonBytes(json, path("vectors", i, field));
    }

    function test_parity_origination_fee() public {
        json = vm.readFile(PRICING);
        uint256[] memory notional = column("originationFee", "notionalUsdcUnits");
        uint256[] memory bps = column("originationFee", "feeBps");
        uint256[] memory fee = column("originationFee", "originationFeeUsdcUnits");
        assertGe(fee.length, 100, "vectors");
        for (uint256 i = 0; i < fee.length; ++i) {
            assertEq(FeeMath.originationFee(notional[i], bps[i]), fee[i], "origination fee");
        }
    }

    function test_parity_lifetime_fee() public {
        json = vm.readFile(PRICING);
        uint256[] memory principal = column("lifetimeFee", "principalUsdcUnits");
        uint256[] memory apr = column("lifetimeFee", "lifetimeFeeAprBps");
        uint256[] memory elapsed = column("lifetimeFee", "elapsedSeconds");
        uint256[] memory fee = column("lifetimeFee", "lifetimeFeeUsdcUnits");
        assertGe(fee.length, 100, "vectors");
        for (uint256 i = 0; i < fee.length; ++i) {
            assertEq(FeeMath.lifetimeFee(principal[i], apr[i], elapsed[i]), fee[i], "lifetime fee");
        }
    }

    function test_parity_liquidation() public {
        json = vm.readFile(PRICING);
        uint256[] memory principal = column("liquidation", "principalUsdcUnits");
        uint256[] memory fees = column("liquidation", "feesUsdcUnits");
        uint256[] memory tokens = column("liquidation", "tokenUnits");
        uint256[] memory feeBps = column("liquidation", "liquidationFeeBps");
        uint256[] memory buffer = column("liquidation", "exitBufferBps");
        uint256[] memory threshold = column("liquidation", "thresholdUsdcUnits");
        uint256[] memory price = column("liquidation", "liquidationPricePips");
        assertGe(price.length, 100, "vectors");
        for (uint256 i = 0; i < price.length; ++i) {
            uint256 own = LiquidationMath.threshold(principal[i] + fees[i], feeBps[i], buffer[i]);
            assertEq(own, threshold[i], "threshold");
            assertEq(principal[i] == 0 ? 0 : LiquidationMath.price(own, tokens[i]), price[i], "price");
        }
    }

    function test_parity_opening_split() public {
        json = vm.readFile(POSITION);
        uint256[] memory collateral = column("openingSplit", "collateralUsdcUnits");
        uint256[] memory notional = column("openingSplit", "notionalUsdcUnits");
        uint256[] memory lent = column("openingSplit", "lentUsdcUnits");
        uint256[] memory venueFee = column("openingSplit", "venueFeeUsdcUnits");
        uint256[] memory origination = column("openingSplit", "originationFeeUsdcUnits");
        uint256[] memory filled = column("openingSplit", "filledUsdcUnits");
        uint256[] memory cash = column("openingSplit", "cashUsdcUnits");
        uint256[] memory tokenUnits = column("openingSplit", "tokenUnits");
        OpeningSplit.Split[] memory expected = splits();
        assertGe(cash.length, 100, "vectors");
        for (uint256 i = 0; i < cash.length; ++i) {
            if (tokenUnits[i] < 10_000) continue;
            OpeningSplit.Split memory s = OpeningSplit.split(
                OpeningSplit.Opening(
                    cash[i],
                    collateral[i],
                    notional[i],
                    venueFee[i],
                    origination[i],
                    lent[i],
                    filled[i]
                )
            );
            assertEq(keccak256(abi.encode(s)), keccak256(abi.encode(expected[i])), "split");
        }
    }

    function splits() private view returns (OpeningSplit.Split[] memory s) {
        uint256[] memory spent = column("openingSplit", "spentUsdcUnits");
        uint256[] memory trade = column("openingSplit", "tradeUsdcUnits");
        uint256[] memory principal = column("openingSplit", "principalUsdcUnits");
        uint256[] memory pool = column("openingSplit", "poolRefundUsdcUnits");
        uint256[] memory origination = column("openingSplit", "originationFeeKeptUsdcUnits");
        uint256[] memory user = column("openingSplit", "userRefundUsdcUnits");
        s = new OpeningSplit.Split[](spent.length);
        for (uint256 i = 0; i < spent.length; ++i) {
            s[i] = OpeningSplit.Split(spent[i], trade[i], principal[i], pool[i], origination[i], user[i]);
        }
    }

    function test_parity_waterfall() public {
        json = vm.readFile(POSITION);
        uint256[] memory cash = column("waterfall", "proceedsUsdcUnits");
        uint256[] memory principal = column("waterfall", "principalDueUsdcUnits");
        uint256[] memory fees = column("waterfall", "lifetimeFeeDueUsdcUnits");
        uint256[] memory bps = column("waterfall", "liquidationFeeBps");
        uint256[] memory principalPaid = column("waterfall", "principalPaidUsdcUnits");
        uint256[] memory feesPaid = column("waterfall", "lifetimeFeePaidUsdcUnits");
        uint256[] memory liquidationPaid = column("waterfall", "liquidationFeePaidUsdcUnits");
        uint256[] memory userPaid = column("waterfall", "userPaidUsdcUnits");
        assertGe(cash.length, 100, "vectors");
        for (uint256 i = 0; i < cash.length; ++i) {
            Waterfall.Due memory due = Waterfall.Due(cash[i], principal[i], fees[i], bps[i]);
            Waterfall.Distribution memory d = Waterfall.distribute(due);
            assertEq(d.principalUsdcUnits, principalPaid[i], "principal");
            assertEq(d.lifetimeFeeUsdcUnits, feesPaid[i], "fees");
            assertEq(d.liquidationFeeUsdcUnits, liquidationPaid[i], "liquidation fee");
            assertEq(d.userUsdcUnits, userPaid[i], "user");
        }
    }

    function test_parity_partial_close_share() public {
        json = vm.readFile(POSITION);
        uint256[] memory figure = column("partialCloseShare", "amountUsdcUnits");
        uint256[] memory sold = column("partialCloseShare", "soldTokenUnits");
        uint256[] memory held = column("partialCloseShare", "heldTokenUnits");
        uint256[] memory share = column("partialCloseShare", "shareUsdcUnits");
        assertGe(share.length, 100, "vectors");
        for (uint256 i = 0; i < share.length; ++i) {
            assertEq(UnitMath.multiplyDivideUp(figure[i], sold[i], held[i]), share[i], "share");
        }
    }

    function test_F2_digest_of_273_bytes() public {
        json = vm.readFile(DIGESTS);
        DigestProbe probe = new DigestProbe();
        IVault.CreateRequest[] memory requests = digestRequests();
        address[] memory users = addresses("user");
        address[] memory vaults = addresses("vault");
        uint256[] memory chains = column("vectors", "chainId");
        bytes32[] memory digests = words("digest");
        bytes32[] memory keys = words("positionKey");
        bytes[] memory packed = strings("packed");
        assertGe(digests.length, 2, "vectors");
        for (uint256 i = 0; i < digests.length; ++i) {
            bytes memory own = probe.packed(requests[i], users[i], chains[i], vaults[i]);
            assertEq(own.length, 273, "length");
            assertEq(keccak256(own), keccak256(packed[i]), "packed values");
            assertEq(probe.digest(requests[i], users[i], chains[i], vaults[i]), digests[i], "digest");
            bytes12 seed = bytes12(requests[i].positionSeed);
            assertEq(keccak256(abi.encode(chains[i], vaults[i], users[i], seed)), keys[i], "position key");
        }
    }

    function digestRequests() private view returns (IVault.CreateRequest[] memory r) {
        bytes[] memory seeds = strings("positionSeed");
        bytes32[] memory markets = words("venueMarketId");
        uint256[][8] memory c;
        c[0] = column("vectors", "venueTokenId");
        c[1] = column("vectors", "collateralUsdcUnits");
        c[2] = column("vectors", "leverageBps");
        c[3] = column("vectors", "notionalUsdcUnits");
        c[4] = column("vectors", "originationFeeBps");
        c[5] = column("vectors", "lifetimeFeeAprBps");
        c[6] = column("vectors", "liquidationFeeBps");
        c[7] = column("vectors", "signatureExpiry");
        r = new IVault.CreateRequest[](seeds.length);
        for (uint256 i = 0; i < r.length; ++i) {
            r[i].positionSeed = bytes16(seeds[i]);
            r[i].venueMarketId = markets[i];
            r[i].venueTokenId = c[0][i];
            r[i].collateralUsdcUnits = c[1][i];
            r[i].leverageBps = uint32(c[2][i]);
            r[i].notionalUsdcUnits = c[3][i];
            r[i].originationFeeBps = uint16(c[4][i]);
            r[i].lifetimeFeeAprBps = uint16(c[5][i]);
            r[i].liquidationFeeBps = uint16(c[6][i]);
            r[i].signatureExpiry = c[7][i];
        }
    }

    function test_F2_every_bit_of_every_field_changes_the_digest() public {
        DigestProbe probe = new DigestProbe();
        QuoteBits.Signed memory s = signedValues(273);
        seen[digestOf(probe, s)] = true;
        uint256 bits;
        for (uint256 field = 0; field < QuoteBits.FIELDS; ++field) {
            for (uint256 bit = 0; bit < QuoteBits.width(field); ++bit) {
                bytes32 digest = digestOf(probe, QuoteBits.flipped(s, field, bit));
                assertTrue(!seen[digest], string.concat("field ", vm.toString(field), ", bit ", vm.toString(bit)));
                seen[digest] = true;
                ++bits;
            }
        }
        assertEq(bits, 273 * 8 - bytes("CREATE_POSITION").length * 8, "all bits but those of the prefix");
    }

    function testFuzz_F2_a_flipped_bit_of_any_request_changes_the_digest(uint256 seed, uint256 choice) public {
        DigestProbe probe = new DigestProbe();
        QuoteBits.Signed memory s = signedValues(seed);
        bytes32 digest = digestOf(probe, s);
        for (uint256 field = 0; field < QuoteBits.FIELDS; ++field) {
            uint256 bit = uint256(keccak256(abi.encode(choice, field))) % QuoteBits.width(field);
            assertTrue(digestOf(probe, QuoteBits.flipped(s, field, bit)) != digest, vm.toString(field));
        }
    }

    function digestOf(DigestProbe probe, QuoteBits.Signed memory s) private pure returns (bytes32) {
        // Beside a mutant of the digest stands an interface of its own: one shape, two types.
        IVault.CreateRequest memory r = abi.decode(abi.encode(s.request), (IVault.CreateRequest));
        return probe.digest(r, s.user, s.chainId, s.vault);
    }

    /// @dev Every signed value drawn over its whole width.
    function signedValues(uint256 seed) private pure returns (QuoteBits.Signed memory s) {
        uint256[13] memory x;
        for (uint256 i = 0; i < x.length; ++i) x[i] = uint256(keccak256(abi.encode(seed, i)));
        s.request.positionSeed = bytes16(bytes32(x[0]));
        s.request.venueMarketId = bytes32(x[1]);
        (s.request.venueTokenId, s.request.collateralUsdcUnits, s.request.notionalUsdcUnits) = (x[2], x[3], x[5]);
        s.request.leverageBps = uint32(bytes4(bytes32(x[4])));
        s.request.originationFeeBps = uint16(bytes2(bytes32(x[6])));
        s.request.lifetimeFeeAprBps = uint16(bytes2(bytes32(x[7])));
        s.request.liquidationFeeBps = uint16(bytes2(bytes32(x[8])));
        s.request.signatureExpiry = x[QuoteBits.EXPIRY];
        s.user = address(bytes20(bytes32(x[QuoteBits.USER])));
        s.chainId = x[QuoteBits.CHAIN];
        s.vault = address(bytes20(bytes32(x[QuoteBits.VAULT])));
    }
}
