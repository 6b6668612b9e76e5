// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {LiquidityPool} from "../../../src/LiquidityPool.sol";
import {Vault} from "../../../src/Vault.sol";
import {IConditionalTokens} from "../../../src/interfaces/IConditionalTokens.sol";
import {IPositionAccount} from "../../../src/interfaces/IPositionAccount.sol";
import {TestUsdc} from "../../../venue/TestUsdc.sol";
import {GasBurningUser} from "../../fixtures/HostileUsers.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice A redeemer that takes the tokens before it redeems them, as adapters of real venues do.
contract RedeemAdapter is ERC1155Holder {
    IConditionalTokens private immutable TOKENS;
    TestUsdc private immutable USDC;
    uint256 private immutable TOKEN_ID;

    constructor(IConditionalTokens tokens, TestUsdc usdc, uint256 tokenId) {
        (TOKENS, USDC, TOKEN_ID) = (tokens, usdc, tokenId);
    }

    function redeemPositions(address collateral, bytes32 parent, bytes32 condition, uint256[] calldata sets) external {
        uint256 held = TOKENS.balanceOf(msg.sender, TOKEN_ID);
        TOKENS.safeTransferFrom(msg.sender, address(this), TOKEN_ID, held, "");
        TOKENS.redeemPositions(collateral, parent, condition, sets);
        USDC.transfer(msg.sender, USDC.balanceOf(address(this)));
    }
}

/// @notice A position's account by itself.
contract AccountTest is VaultFixture {
    uint256 private constant SCARCE_GAS = 200_000;

    function test_redeems_through_an_adapter_and_takes_the_approval_back() public {
        RedeemAdapter adapter = new RedeemAdapter(tokens, usdc, yesId);
        exchange = deployExchangeWith(address(adapter));
        vault = deployVault(deployment());
        pool = LiquidityPool(vault.pool());
        vault.registerOutcome(oracle, QUESTION, 1);
        fundPool(500_000e6, 25_000e6);
        vm.prank(alice, alice);
        usdc.approve(address(vault), type(uint256).max);
        bytes32 key = open();
        uint256 before = usdc.balanceOf(alice);
        resolve(1, 0);
        vault.settle(key);
        assertEq(usdc.balanceOf(alice) - before, 400e6, "paid");
        assertTrue(!tokens.isApprovedForAll(vault.accountOf(key), address(adapter)), "approval taken back");
        assertSolvent();
    }

    function test_accepts_tokens_from_the_exchange_only() public {
        IERC1155Receiver account = IERC1155Receiver(vault.accountOf(open()));
        uint256[] memory none = new uint256[](0);
        vm.startPrank(address(tokens), address(tokens));
        bytes4 one = account.onERC1155Received(address(exchange), maker, yesId, 1, "");
        assertTrue(one == IERC1155Receiver.onERC1155Received.selector, "one");
        bytes4 many = account.onERC1155BatchReceived(address(exchange), maker, none, none, "");
        assertTrue(many == IERC1155Receiver.onERC1155BatchReceived.selector, "many");
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        account.onERC1155Received(maker, maker, yesId, 1, "");
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        account.onERC1155BatchReceived(maker, maker, none, none, "");
        vm.stopPrank();
        vm.startPrank(address(exchange), address(exchange));
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        account.onERC1155Received(address(exchange), maker, yesId, 1, "");
        vm.expectRevert(IPositionAccount.TokensNotFromExchange.selector);
        account.onERC1155BatchReceived(address(exchange), maker, none, none, "");
        vm.stopPrank();
    }

    function test_says_what_it_is() public {
        IERC165 account = IERC165(vault.accountOf(open()));
        assertTrue(account.supportsInterface(type(IERC1155Receiver).interfaceId), "receiver");
        assertTrue(account.supportsInterface(type(IERC1271).interfaceId), "signatures");
        assertTrue(account.supportsInterface(type(IERC165).interfaceId), "itself");
        assertTrue(!account.supportsInterface(0xffffffff), "nothing else");
    }

    function test_a_payment_without_gas_reverts_instead_of_waiting() public {
        bytes32 key = open();
        address account = vault.accountOf(key);
        usdc.mint(account, 1e6);
        bool sawTooLow;
        for (uint256 gasLimit = 3_000; ; gasLimit += 250) {
            vm.prank(address(vault), address(vault));
            (bool done, bytes memory answer) = account.call{gas: gasLimit}(
                abi.encodeCall(IPositionAccount.sendUsdc, (address(pool), 0, address(0xd00d), 1e6))
            );
            if (done) {
                assertTrue(abi.decode(answer, (bool)), "done means paid");
                break;
            }
            if (answer.length == 4 && bytes4(answer) == IPositionAccount.GasTooLow.selector) sawTooLow = true;
        }
        assertTrue(sawTooLow, "starved calls are refused by name");
        assertEq(usdc.balanceOf(address(0xd00d)), 1e6, "paid");
    }

    function test_tokens_refused_with_next_to_no_gas_left_revert_by_name() public {
        bytes32 key = open();
        address account = vault.accountOf(key);
        address receiver = address(new GasBurningUser());
        uint256 held = tokens.balanceOf(account, yesId);
        assertTrue(held != 0, "holds tokens");
        bytes memory send = abi.encodeCall(IPositionAccount.trySendTokens, (address(tokens), receiver, yesId, held));

        vm.prank(address(vault), address(vault));
        (bool done, bytes memory answer) = account.call{gas: SCARCE_GAS}(send);
        assertTrue(!done, "starved");
        assertEq(bytes32(answer), bytes32(IPositionAccount.GasTooLow.selector), "by name");

        vm.prank(address(vault), address(vault));
        (done, answer) = account.call{gas: 64 * SCARCE_GAS}(send);
        assertTrue(done && !abi.decode(answer, (bool)), "with gas left it is a refusal");
        assertEq(tokens.balanceOf(account, yesId), held, "tokens stay");
    }

    function test_zero_hash_and_implementation_answer_no() public {
        bytes32 key = open();
        bytes4 no = bytes4(0xffffffff);
        assertTrue(IPositionAccount(vault.accountOf(key)).isValidSignature(bytes32(0), "") == no, "zero hash");
        assertTrue(!vault.isLiveOrder(bytes32(0), bytes32(0)), "unknown key");
        assertTrue(
            IPositionAccount(vault.accountImplementation()).isValidSignature(bytes32(0), "") == no,
            "implementation"
        );
    }

    function test_an_allowance_refused_with_next_to_no_gas_left_is_not_left_on() public {
        address account = vault.accountOf(open());
        vm.etch(address(usdc), address(new GasBurningUser()).code);
        bytes memory disallow = abi.encodeCall(IPositionAccount.allowUsdc, (0));
        vm.prank(address(vault), address(vault));
        (bool done, bytes memory answer) = account.call{gas: SCARCE_GAS}(disallow);
        assertTrue(!done, "starved");
        assertEq(bytes32(answer), bytes32(IPositionAccount.GasTooLow.selector), "by name");
        vm.prank(address(vault), address(vault));
        (done, ) = account.call{gas: 64 * SCARCE_GAS}(disallow);
        assertTrue(done, "with gas left it is a refusal, and the ending goes on");
    }

    function test_a_single_unit_is_paid() public {
        address account = vault.accountOf(open());
        usdc.mint(account, 1);
        vm.prank(address(vault), address(vault));
        assertTrue(IPositionAccount(account).sendUsdc(address(pool), 0, address(0xd00d), 1), "sent");
        assertEq(usdc.balanceOf(address(0xd00d)), 1, "arrived");
    }
}
