// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {TwinDepositWallet} from "./TwinDepositWallet.sol";

/// @title TwinWalletFactory
/// @notice The venue's factory of deposit wallets a second time, for local use. Its operators alone deploy wallets and
/// bring the batches that owners have signed. A wallet is a beacon proxy whose code ends with this factory and the id
/// of its owner; the salt of its address is their hash.
contract TwinWalletFactory {
    event WalletDeployed(address indexed owner, address wallet);

    error NotOperator();
    error MismatchedArrayLengths();
    error IdIsNotOwner();

    /// @notice Contract that names the code of wallets.
    address public immutable BEACON;

    /// @notice Returns whether an account deploys wallets and brings batches.
    mapping(address account => bool allowed) public isOperator;

    modifier onlyOperator() {
        if (!isOperator[msg.sender]) revert NotOperator();
        _;
    }

    constructor(address beacon, address operator) {
        BEACON = beacon;
        isOperator[operator] = true;
    }

    /// @notice Deploys the wallets of owners. The id of a wallet is its owner's address, padded on the left; an owner
    /// gets one wallet and needs no code.
    function deploy(address[] calldata owners, bytes32[] calldata ids) external onlyOperator {
        if (owners.length != ids.length) revert MismatchedArrayLengths();
        for (uint256 i = 0; i < owners.length; ++i) {
            if (ids[i] != bytes32(uint256(uint160(owners[i])))) revert IdIsNotOwner();
            bytes memory arguments = _argumentsOf(ids[i]);
            address wallet = Create2.deploy(0, keccak256(arguments), _creationCodeOf(arguments));
            emit WalletDeployed(owners[i], wallet);
        }
    }

    /// @notice Brings a batch to its wallet, with the signature of the wallet's owner.
    function execute(TwinDepositWallet.Batch calldata batch, bytes calldata signature) external onlyOperator {
        TwinDepositWallet(payable(batch.wallet)).execute(batch, signature);
    }

    /// @notice Returns the address of the wallet with an id, deployed or not.
    function predictWalletAddress(bytes32 id) external view returns (address wallet) {
        bytes memory arguments = _argumentsOf(id);
        return Create2.computeAddress(keccak256(arguments), keccak256(_creationCodeOf(arguments)));
    }

    function _argumentsOf(bytes32 id) private view returns (bytes memory arguments) {
        return abi.encode(address(this), id);
    }

    /// @dev Writes the beacon into its slot of ERC-1967 and returns 82 bytes of proxy, followed by the arguments.
    function _creationCodeOf(bytes memory arguments) private view returns (bytes memory code) {
        return
            bytes.concat(
                hex"6100923d8160233d3973",
                bytes20(BEACON),
                hex"60195155f3363d3d373d3d363d602036600436635c60da1b60e01b36527f",
                hex"a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
                hex"545afa5036515af43d6000803e604d573d6000fd5b3d6000f3",
                arguments
            );
    }
}
