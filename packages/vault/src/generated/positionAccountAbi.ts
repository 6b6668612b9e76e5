// Written by contracts/scripts/writeAbi.ts; do not edit.
export const positionAccountAbi = [
  {"inputs":[],"name":"OnlyVault","type":"error"},
  {"inputs":[],"name":"TokensNotFromExchange","type":"error"},
  {"inputs":[{"internalType":"bool","name":"allowed","type":"bool"}],"name":"allowTokens","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"uint256","name":"usdcUnits","type":"uint256"}],"name":"allowUsdc","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"orderHash","type":"bytes32"},{"internalType":"bytes","name":"signature","type":"bytes"}],"name":"isValidSignature","outputs":[{"internalType":"bytes4","name":"magicValue","type":"bytes4"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"positionKey","outputs":[{"internalType":"bytes32","name":"key","type":"bytes32"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"conditionId","type":"bytes32"},{"internalType":"uint256","name":"indexSet","type":"uint256"}],"name":"redeem","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"tokenId","type":"uint256"},{"internalType":"uint256","name":"tokenUnits","type":"uint256"}],"name":"sendTokens","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"usdcUnits","type":"uint256"}],"name":"sendUsdc","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"tokenId","type":"uint256"},{"internalType":"uint256","name":"tokenUnits","type":"uint256"}],"name":"trySendTokens","outputs":[{"internalType":"bool","name":"sent","type":"bool"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"usdcUnits","type":"uint256"}],"name":"trySendUsdc","outputs":[{"internalType":"bool","name":"sent","type":"bool"}],"stateMutability":"nonpayable","type":"function"},
] as const;
