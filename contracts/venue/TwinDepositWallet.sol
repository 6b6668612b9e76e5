// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

/// @title TwinDepositWallet
/// @notice The venue's deposit wallet a second time, for local use: written from what is known of the real one alone.
/// Its owner signs orders, which the exchange asks the wallet about, and batches of calls, which the factory brings. It
/// has neither session signers nor the pause with which an owner leaves the venue.
/// @dev Code behind the proxies of TwinWalletFactory. The last 64 bytes of a proxy's code are the factory and the
/// owner; only the nonce and the proxy's beacon are stored.
contract TwinDepositWallet is IERC1271, ERC1155Holder {
    /// @notice One call of a batch.
    struct Call {
        /// Receiver: neither the wallet nor its beacon.
        address target;
        /// Native currency sent along, wei.
        uint256 value;
        /// Selector and arguments.
        bytes data;
    }

    /// @notice Calls that the owner signs together: all are made, or none.
    struct Batch {
        /// The wallet itself.
        address wallet;
        /// Number of the wallet's batches before this one.
        uint256 nonce;
        /// Last second in which it may be executed, Unix time.
        uint256 deadline;
        /// Calls in their order.
        Call[] calls;
    }

    event BatchExecuted(uint256 indexed nonce);

    error OnlyFactory();
    error WalletMismatch();
    error NonceMismatch(uint256 expected);
    error BatchExpired();
    error InvalidSignature();
    error CallBlocked(uint256 index);
    error CallFailed(uint256 index, bytes reason);

    uint256 private constant SIGNATURE_BYTES = 65;
    /// @dev Owner's signature, domain separator and hash of the contents.
    uint256 private constant HEAD_BYTES = SIGNATURE_BYTES + 64;
    uint256 private constant LENGTH_BYTES = 2;
    bytes4 private constant REFUSED = 0xffffffff;
    bytes32 private constant NAME = keccak256("DepositWallet");
    bytes32 private constant VERSION = keccak256("1");
    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant CALL_TYPE = keccak256("Call(address target,uint256 value,bytes data)");
    bytes32 private constant BATCH_TYPE =
        keccak256(
            "Batch(address wallet,uint256 nonce,uint256 deadline,Call[] calls)"
            "Call(address target,uint256 value,bytes data)"
        );

    /// @notice Number of batches that were executed: the nonce of the next one.
    uint256 public nonce;

    /// @notice Accepts native currency.
    receive() external payable {}

    /// @notice Executes a batch that the owner has signed.
    /// @param signature ECDSA signature of the owner, 65 bytes
    function execute(Batch calldata batch, bytes calldata signature) external {
        if (msg.sender != factory()) revert OnlyFactory();
        if (batch.wallet != address(this)) revert WalletMismatch();
        if (block.timestamp > batch.deadline) revert BatchExpired();
        if (batch.nonce != nonce) revert NonceMismatch(nonce);
        if (!_isOwners(MessageHashUtils.toTypedDataHash(_domainSeparator(), _structHashOf(batch)), signature)) {
            revert InvalidSignature();
        }
        ++nonce;
        address beacon = ERC1967Utils.getBeacon();
        for (uint256 i = 0; i < batch.calls.length; ++i) {
            Call calldata one = batch.calls[i];
            if (one.target == address(this) || one.target == beacon) revert CallBlocked(i);
            // A call that fails takes the whole batch back.
            // solhint-disable-next-line avoid-low-level-calls
            (bool done, bytes memory answer) = one.target.call{value: one.value}(one.data);
            if (!done) revert CallFailed(i, answer);
        }
        emit BatchExecuted(batch.nonce);
    }

    /// @notice Answers for a struct that the owner has signed inside ERC-7739's TypedDataSign.
    /// @param signature signature of the owner, domain separator of the asker, hash of the struct, its type, length of
    /// the type in two bytes
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4 magicValue) {
        return _isNested(hash, signature) ? IERC1271.isValidSignature.selector : REFUSED;
    }

    /// @notice Returns the account whose signatures count.
    function owner() public view returns (address account) {
        (, account) = _arguments();
    }

    /// @notice Returns the contract that brings batches.
    function factory() public view returns (address account) {
        (account, ) = _arguments();
    }

    function _isNested(bytes32 hash, bytes calldata signature) private view returns (bool) {
        uint256 size = signature.length;
        if (size < HEAD_BYTES + LENGTH_BYTES) return false;
        uint256 end = size - LENGTH_BYTES;
        if (uint16(bytes2(signature[end:])) != end - HEAD_BYTES) return false;
        bytes32 domain = bytes32(signature[SIGNATURE_BYTES:SIGNATURE_BYTES + 32]);
        bytes32 contents = bytes32(signature[SIGNATURE_BYTES + 32:HEAD_BYTES]);
        if (MessageHashUtils.toTypedDataHash(domain, contents) != hash) return false;
        bytes calldata contentsType = signature[HEAD_BYTES:end];
        uint256 nameBytes = _nameBytesOf(contentsType);
        if (nameBytes == 0) return false;
        bytes32 nestedType = keccak256(
            abi.encodePacked(
                "TypedDataSign(",
                contentsType[:nameBytes],
                " contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)",
                contentsType
            )
        );
        bytes32 nested = keccak256(
            abi.encode(nestedType, contents, NAME, VERSION, block.chainid, address(this), bytes32(0))
        );
        return _isOwners(MessageHashUtils.toTypedDataHash(domain, nested), signature[:SIGNATURE_BYTES]);
    }

    function _isOwners(bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        return failure == ECDSA.RecoverError.NoError && signer == owner();
    }

    function _domainSeparator() private view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPE, NAME, VERSION, block.chainid, address(this)));
    }

    function _arguments() private view returns (address maker, address holder) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, sub(extcodesize(address()), 0x40), 0x40)
            maker := mload(0x00)
            holder := mload(0x20)
        }
    }

    function _structHashOf(Batch calldata batch) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](batch.calls.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            Call calldata one = batch.calls[i];
            hashes[i] = keccak256(abi.encode(CALL_TYPE, one.target, one.value, keccak256(one.data)));
        }
        bytes32 callsHash = keccak256(abi.encodePacked(hashes));
        return keccak256(abi.encode(BATCH_TYPE, batch.wallet, batch.nonce, batch.deadline, callsHash));
    }

    /// @dev The name of a struct begins the text of its type and ends before the first bracket. Returns 0 for a name
    /// that ERC-7739 refuses: one that begins with a small letter or holds a character that ends another type.
    function _nameBytesOf(bytes calldata contentsType) private pure returns (uint256) {
        for (uint256 i = 0; i < contentsType.length; ++i) {
            bytes1 letter = contentsType[i];
            if (letter == "(") return contentsType[contentsType.length - 1] == ")" ? i : 0;
            if (letter == "," || letter == " " || letter == ")" || letter == 0x00) return 0;
            if (i == 0 && letter >= "a" && letter <= "z") return 0;
        }
        return 0;
    }
}
