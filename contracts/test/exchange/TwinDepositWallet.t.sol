// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConditionalTokens} from "../../src/interfaces/IConditionalTokens.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {TestUsdc} from "../../venue/TestUsdc.sol";
import {TwinDepositWallet} from "../../venue/TwinDepositWallet.sol";
import {TwinExchange} from "../../venue/TwinExchange.sol";
import {TwinWalletBeacon} from "../../venue/TwinWalletBeacon.sol";
import {TwinWalletFactory} from "../../venue/TwinWalletFactory.sol";
import {Assertions} from "../fixtures/Assertions.sol";

/// @notice A call of ConditionalTokens that no contract of the vault makes.
interface IBatchTransfers {
    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) external;
}

/// @notice A deposit wallet behind its proxy: the owner's signatures count, for orders and for batches, and those of
/// no other account.
contract TwinDepositWalletTest is Assertions {
    uint256 private constant OWNER_KEY = 0x7E57;
    uint256 private constant OTHER_KEY = 0x7E58;
    uint256 private constant UNITS = 1e9;
    bytes32 private constant QUESTION = keccak256("question");
    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    string private constant ORDER_TYPE =
        "Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,"
        "uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)";
    string private constant NESTED_TYPE =
        "TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,"
        "bytes32 salt)";

    address private operator = address(0x0a05);
    TestUsdc private usdc;
    IConditionalTokens private tokens;
    IVenueExchange private exchange;
    TwinWalletBeacon private beacon;
    TwinWalletFactory private factory;
    TwinDepositWallet private wallet;
    address private owner;
    address private other;
    bytes32 private condition;
    uint256[2] private ids;

    function setUp() public {
        owner = vm.addr(OWNER_KEY);
        other = vm.addr(OTHER_KEY);
        usdc = new TestUsdc();
        string memory json = vm.readFile(
            "node_modules/@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json"
        );
        tokens = IConditionalTokens(create(vm.parseJsonBytes(json, ".bytecode")));
        tokens.prepareCondition(address(this), QUESTION, 2);
        condition = tokens.getConditionId(address(this), QUESTION, 2);
        for (uint256 i = 0; i < 2; ++i) {
            ids[i] = tokens.getPositionId(address(usdc), tokens.getCollectionId(bytes32(0), condition, i + 1));
        }
        exchange = new TwinExchange(
            TwinExchange.Deployment(usdc, tokens, address(usdc), tokens, address(this), operator, address(0x0a07))
        );
        beacon = new TwinWalletBeacon(address(new TwinDepositWallet()));
        factory = new TwinWalletFactory(address(beacon), operator);
        wallet = deployWallet(owner);
        usdc.mint(address(wallet), UNITS);
        usdc.mint(other, 2 * UNITS);
        uint256[] memory partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
        vm.startPrank(other, other);
        usdc.approve(address(tokens), UNITS);
        tokens.splitPosition(address(usdc), bytes32(0), condition, partition, UNITS);
        tokens.setApprovalForAll(address(exchange), true);
        vm.stopPrank();
    }

    function create(bytes memory code) private returns (address deployed) {
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        assertTrue(deployed != address(0), "deployed");
    }

    function idOf(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function deployWallet(address account) private returns (TwinDepositWallet) {
        address[] memory owners = new address[](1);
        bytes32[] memory walletIds = new bytes32[](1);
        (owners[0], walletIds[0]) = (account, idOf(account));
        vm.prank(operator, operator);
        factory.deploy(owners, walletIds);
        return TwinDepositWallet(payable(factory.predictWalletAddress(idOf(account))));
    }

    // ------------------------------------------------------------ deployment

    function test_deploy_puts_factory_and_owner_into_the_code() public view {
        assertEq(address(wallet).code.length, 146, "proxy and two words");
        assertEq(wallet.owner(), owner, "owner");
        assertEq(wallet.factory(), address(factory), "factory");
        assertEq(factory.BEACON(), address(beacon), "beacon");
        assertEq(wallet.nonce(), 0, "nonce");
    }

    function test_deploy_refuses_others_than_operators() public {
        vm.prank(owner, owner);
        vm.expectRevert(TwinWalletFactory.NotOperator.selector);
        factory.deploy(new address[](0), new bytes32[](0));
    }

    function test_deploy_refuses_a_second_wallet_and_an_id_of_another_owner() public {
        address[] memory owners = new address[](1);
        bytes32[] memory walletIds = new bytes32[](1);
        (owners[0], walletIds[0]) = (owner, idOf(owner));
        vm.startPrank(operator, operator);
        vm.expectRevert();
        factory.deploy(owners, walletIds);
        walletIds[0] = idOf(other);
        vm.expectRevert(TwinWalletFactory.IdIsNotOwner.selector);
        factory.deploy(owners, walletIds);
        vm.expectRevert(TwinWalletFactory.MismatchedArrayLengths.selector);
        factory.deploy(owners, new bytes32[](0));
        vm.stopPrank();
    }

    // ------------------------------------------------------------ orders

    function test_isValidSignature_accepts_the_owner() public view {
        assertAnswer(true, exchange.hashOrder(orderOf()), nested(orderOf(), OWNER_KEY, domainOf("2")));
    }

    function test_isValidSignature_refuses_a_wrong_owner() public view {
        assertAnswer(false, exchange.hashOrder(orderOf()), nested(orderOf(), OTHER_KEY, domainOf("2")));
    }

    function test_isValidSignature_refuses_a_wrong_domain() public view {
        assertAnswer(false, exchange.hashOrder(orderOf()), nested(orderOf(), OWNER_KEY, domainOf("3")));
    }

    function test_isValidSignature_refuses_another_order() public view {
        IVenueExchange.Order memory order = orderOf();
        bytes memory signature = nested(order, OWNER_KEY, domainOf("2"));
        ++order.salt;
        assertAnswer(false, exchange.hashOrder(order), signature);
    }

    function test_isValidSignature_refuses_what_is_signed_for_another_wallet() public {
        TwinDepositWallet own = wallet;
        wallet = deployWallet(other);
        IVenueExchange.Order memory order = orderOf();
        bytes memory signature = nested(order, OWNER_KEY, domainOf("2"));
        wallet = own;
        assertAnswer(false, exchange.hashOrder(order), signature);
    }

    function test_isValidSignature_refuses_a_plain_signature() public view {
        bytes32 hash = exchange.hashOrder(orderOf());
        assertAnswer(false, hash, signed(OWNER_KEY, hash));
        assertAnswer(false, hash, "");
    }

    function testFuzz_isValidSignature_refuses_a_changed_byte(uint256 index, uint8 change) public view {
        IVenueExchange.Order memory order = orderOf();
        bytes memory signature = nested(order, OWNER_KEY, domainOf("2"));
        index = bound(index, 0, signature.length - 1);
        if (change == 0) change = 1;
        signature[index] = bytes1(uint8(signature[index]) ^ change);
        assertAnswer(false, exchange.hashOrder(order), signature);
    }

    function test_matchOrders_settles_an_order_of_a_wallet() public {
        TwinDepositWallet.Call[] memory calls = new TwinDepositWallet.Call[](2);
        calls[0] = callOf(address(usdc), abi.encodeCall(usdc.approve, (address(exchange), UNITS)));
        calls[1] = callOf(address(tokens), abi.encodeCall(tokens.setApprovalForAll, (address(exchange), true)));
        execute(batchOf(calls), OWNER_KEY);
        IVenueExchange.Order memory buy = orderOf();
        buy.signature = nested(buy, OWNER_KEY, domainOf("2"));
        matchWithOther(buy, 1);
        assertEq(usdc.balanceOf(address(wallet)), UNITS / 2, "paid");
        assertEq(tokens.balanceOf(address(wallet), ids[0]), UNITS, "received");
        IVenueExchange.Order memory sale = orderOf();
        sale.side = 1;
        (sale.makerAmount, sale.takerAmount) = (UNITS, UNITS / 2);
        sale.signature = nested(sale, OWNER_KEY, domainOf("2"));
        vm.prank(other, other);
        usdc.approve(address(exchange), UNITS);
        matchWithOther(sale, 0);
        assertEq(usdc.balanceOf(address(wallet)), UNITS, "paid back");
        assertEq(tokens.balanceOf(address(wallet), ids[0]), 0, "sold");
    }

    function assertAnswer(bool accepted, bytes32 hash, bytes memory signature) private view {
        bytes4 answer = wallet.isValidSignature(hash, signature);
        assertEq(bytes32(answer), bytes32(accepted ? bytes4(0x1626ba7e) : bytes4(0xffffffff)), "answer");
    }

    /// @dev A purchase at one half.
    function orderOf() private view returns (IVenueExchange.Order memory order) {
        order.salt = 1;
        (order.maker, order.signer, order.signatureType) = (address(wallet), address(wallet), 3);
        (order.tokenId, order.makerAmount, order.takerAmount) = (ids[0], UNITS / 2, UNITS);
    }

    function matchWithOther(IVenueExchange.Order memory taking, uint8 side) private {
        IVenueExchange.Order memory making;
        (making.maker, making.signer, making.side, making.tokenId) = (other, other, side, ids[0]);
        (making.makerAmount, making.takerAmount) = (taking.takerAmount, taking.makerAmount);
        making.signature = signed(OTHER_KEY, exchange.hashOrder(making));
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = making;
        uint256[] memory fills = new uint256[](1);
        fills[0] = making.makerAmount;
        vm.prank(operator, operator);
        exchange.matchOrders(condition, taking, makers, taking.makerAmount, fills, 0, new uint256[](1));
    }

    function domainOf(string memory version) private view returns (bytes32) {
        bytes32 name = keccak256("Venue Exchange");
        return keccak256(abi.encode(DOMAIN_TYPE, name, keccak256(bytes(version)), block.chainid, address(exchange)));
    }

    function nested(
        IVenueExchange.Order memory order,
        uint256 key,
        bytes32 domain
    ) private view returns (bytes memory) {
        bytes32 contents = keccak256(
            bytes.concat(
                abi.encode(keccak256(bytes(ORDER_TYPE)), order.salt, order.maker, order.signer, order.tokenId),
                abi.encode(order.makerAmount, order.takerAmount, order.side, order.signatureType),
                abi.encode(order.timestamp, order.metadata, order.builder)
            )
        );
        bytes32 nestedType = keccak256(bytes.concat(bytes(NESTED_TYPE), bytes(ORDER_TYPE)));
        bytes memory ownDomain = abi.encode(
            keccak256("DepositWallet"),
            keccak256("1"),
            block.chainid,
            address(wallet),
            bytes32(0)
        );
        bytes32 struct_ = keccak256(bytes.concat(nestedType, contents, ownDomain));
        bytes memory inner = signed(key, keccak256(abi.encodePacked(hex"1901", domain, struct_)));
        return abi.encodePacked(inner, domain, contents, ORDER_TYPE, uint16(186));
    }

    function signed(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    // ------------------------------------------------------------ batches

    function test_execute_makes_all_calls() public {
        execute(paying(), OWNER_KEY);
        assertEq(usdc.balanceOf(owner), UNITS / 4, "paid");
        assertEq(wallet.nonce(), 1, "nonce");
    }

    function test_execute_refuses_others_than_operators_and_the_factory() public {
        TwinDepositWallet.Batch memory batch = paying();
        bytes memory signature = signed(OWNER_KEY, digestOf(batch));
        vm.startPrank(owner, owner);
        vm.expectRevert(TwinWalletFactory.NotOperator.selector);
        factory.execute(batch, signature);
        vm.expectRevert(TwinDepositWallet.OnlyFactory.selector);
        wallet.execute(batch, signature);
        vm.stopPrank();
    }

    function test_execute_refuses_a_wrong_owner() public {
        refuse(paying(), OTHER_KEY, abi.encodeWithSelector(TwinDepositWallet.InvalidSignature.selector));
    }

    function test_execute_refuses_a_replay() public {
        TwinDepositWallet.Batch memory batch = paying();
        execute(batch, OWNER_KEY);
        refuse(batch, OWNER_KEY, abi.encodeWithSelector(TwinDepositWallet.NonceMismatch.selector, 1));
    }

    function test_execute_refuses_an_expired_batch() public {
        TwinDepositWallet.Batch memory batch = paying();
        vm.warp(batch.deadline + 1);
        refuse(batch, OWNER_KEY, abi.encodeWithSelector(TwinDepositWallet.BatchExpired.selector));
    }

    function test_execute_refuses_a_batch_of_another_wallet() public {
        TwinDepositWallet.Batch memory batch = paying();
        batch.wallet = address(deployWallet(other));
        refuse(batch, OWNER_KEY, abi.encodeWithSelector(TwinDepositWallet.InvalidSignature.selector));
        batch.wallet = address(wallet);
        TwinDepositWallet foreign = TwinDepositWallet(payable(factory.predictWalletAddress(idOf(other))));
        vm.prank(address(factory), operator);
        vm.expectRevert(TwinDepositWallet.WalletMismatch.selector);
        foreign.execute(batch, "");
    }

    function test_execute_refuses_calls_to_the_wallet_and_the_beacon() public {
        TwinDepositWallet.Call[] memory calls = new TwinDepositWallet.Call[](2);
        calls[0] = callOf(address(usdc), abi.encodeCall(usdc.transfer, (owner, 1)));
        calls[1] = callOf(address(wallet), abi.encodeCall(wallet.nonce, ()));
        bytes memory reason = abi.encodeWithSelector(TwinDepositWallet.CallBlocked.selector, 1);
        refuse(batchOf(calls), OWNER_KEY, reason);
        calls[1].target = address(beacon);
        refuse(batchOf(calls), OWNER_KEY, reason);
        assertEq(usdc.balanceOf(owner), 0, "nothing was paid");
    }

    function test_execute_takes_back_a_batch_with_a_failing_call() public {
        TwinDepositWallet.Call[] memory calls = new TwinDepositWallet.Call[](2);
        calls[0] = callOf(address(usdc), abi.encodeCall(usdc.transfer, (owner, 1)));
        calls[1] = callOf(address(usdc), abi.encodeCall(usdc.transfer, (owner, UNITS)));
        TwinDepositWallet.Batch memory batch = batchOf(calls);
        bytes memory signature = signed(OWNER_KEY, digestOf(batch));
        vm.prank(operator, operator);
        vm.expectPartialRevert(TwinDepositWallet.CallFailed.selector);
        factory.execute(batch, signature);
        assertEq(usdc.balanceOf(owner), 0, "nothing was paid");
        assertEq(wallet.nonce(), 0, "nonce");
    }

    function test_receive_accepts_native_currency_and_tokens() public {
        vm.startPrank(other, other);
        tokens.safeTransferFrom(other, address(wallet), ids[0], 5, "");
        uint256[] memory both = new uint256[](2);
        uint256[] memory amounts = new uint256[](2);
        (both[0], both[1], amounts[0], amounts[1]) = (ids[0], ids[1], 1, 2);
        IBatchTransfers(address(tokens)).safeBatchTransferFrom(other, address(wallet), both, amounts, "");
        vm.stopPrank();
        assertEq(tokens.balanceOf(address(wallet), ids[0]), 6, "first token");
        assertEq(tokens.balanceOf(address(wallet), ids[1]), 2, "second token");
        (bool paid, ) = address(wallet).call{value: 3}("");
        assertTrue(paid, "native currency");
        TwinDepositWallet.Call[] memory calls = new TwinDepositWallet.Call[](1);
        calls[0] = TwinDepositWallet.Call(owner, 3, "");
        execute(batchOf(calls), OWNER_KEY);
        assertEq(owner.balance, 3, "sent on");
    }

    function callOf(address target, bytes memory data) private pure returns (TwinDepositWallet.Call memory) {
        return TwinDepositWallet.Call(target, 0, data);
    }

    function batchOf(TwinDepositWallet.Call[] memory calls) private view returns (TwinDepositWallet.Batch memory) {
        return TwinDepositWallet.Batch(address(wallet), wallet.nonce(), block.timestamp + 600, calls);
    }

    function paying() private view returns (TwinDepositWallet.Batch memory) {
        TwinDepositWallet.Call[] memory calls = new TwinDepositWallet.Call[](1);
        calls[0] = callOf(address(usdc), abi.encodeCall(usdc.transfer, (owner, UNITS / 4)));
        return batchOf(calls);
    }

    function digestOf(TwinDepositWallet.Batch memory batch) private view returns (bytes32) {
        bytes memory hashes = "";
        for (uint256 i = 0; i < batch.calls.length; ++i) {
            TwinDepositWallet.Call memory one = batch.calls[i];
            bytes32 callType = keccak256("Call(address target,uint256 value,bytes data)");
            bytes32 hash = keccak256(abi.encode(callType, one.target, one.value, keccak256(one.data)));
            hashes = bytes.concat(hashes, hash);
        }
        bytes32 batchType = keccak256(
            "Batch(address wallet,uint256 nonce,uint256 deadline,Call[] calls)"
            "Call(address target,uint256 value,bytes data)"
        );
        bytes32 struct_ = keccak256(
            abi.encode(batchType, batch.wallet, batch.nonce, batch.deadline, keccak256(hashes))
        );
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPE, keccak256("DepositWallet"), keccak256("1"), block.chainid, address(wallet))
        );
        return keccak256(abi.encodePacked(hex"1901", domain, struct_));
    }

    function execute(TwinDepositWallet.Batch memory batch, uint256 key) private {
        bytes memory signature = signed(key, digestOf(batch));
        vm.prank(operator, operator);
        factory.execute(batch, signature);
    }

    function refuse(TwinDepositWallet.Batch memory batch, uint256 key, bytes memory reason) private {
        bytes memory signature = signed(key, digestOf(batch));
        vm.prank(operator, operator);
        vm.expectRevert(reason);
        factory.execute(batch, signature);
    }
}
