// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The cheat codes these tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function warp(uint256 timestamp) external;
    function chainId(uint256 id) external;
    function prank(address sender, address origin) external;
    function startPrank(address sender, address origin) external;
    function stopPrank() external;
    function addr(uint256 privateKey) external pure returns (address account);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata reason) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit() external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);
    function etch(address account, bytes calldata code) external;
    function mockCall(address callee, bytes calldata data, bytes calldata answer) external;
    function mockCallRevert(address callee, bytes calldata data, bytes calldata reason) external;
    function clearMockedCalls() external;
    function assume(bool condition) external pure;
    function getCode(string calldata artifact) external view returns (bytes memory creationCode);
    function readFile(string calldata path) external view returns (string memory text);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory parsed);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32 parsed);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address parsed);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory parsed);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256 parsed);
    function parseUint(string calldata text) external pure returns (uint256 parsed);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool exists);
    function toString(uint256 number) external pure returns (string memory text);
    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool done);
    function snapshotGasLastCall(string calldata name) external returns (uint256 gasUsed);
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256 gasUsed);
    function load(address account, bytes32 slot) external view returns (bytes32 word);
    function store(address account, bytes32 slot, bytes32 word) external;
    function label(address account, string calldata name) external;
}
