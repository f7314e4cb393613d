import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { rpc } from '@stellar/stellar-sdk';
import { type Except, fits } from '../../test/helpers/fits.ts';
import type { EventsResult } from './getEvents.ts';
import type { LedgerEntriesResult } from './getLedgerEntries.ts';
import type { LedgersResult } from './getLedgers.ts';
import type { TransactionResult, TransactionsResult } from './getTransactions.ts';
import { RPC_METHOD_NAMES, type RpcResults } from './rpcMethods.ts';
import type { SendResult } from './sendTransaction.ts';
import type { SimulationAnswer } from './simulationAnswer.ts';

type EventOfAnyType = Except<rpc.Api.RawEventResponse, { type: string }>;
type ChangeByName = Except<
  NonNullable<rpc.Api.RawSimulateTransactionResponse['stateChanges']>[number],
  { type: string }
>;

describe('Results of RPC methods are what the Stellar SDK reads', () => {
  it('every method, in base64: a result that the SDK cannot take is an error of the compiler', () => {
    const compared = {
      // XDR has diagnostic events too, though no ledger contains one.
      getEvents: fits<
        EventsResult<'base64'>,
        Except<rpc.Api.RawGetEventsResponse, { events: EventOfAnyType[] }>
      >(),
      getFeeStats: fits<RpcResults['getFeeStats'], rpc.Api.GetFeeStatsResponse>(),
      getHealth: fits<RpcResults['getHealth'], rpc.Api.GetHealthResponse>(),
      // The SDK's type has a text; Stellar RPC sends a number (go-stellar-sdk `protocols/rpc/get_latest_ledger.go`).
      getLatestLedger: fits<
        RpcResults['getLatestLedger'],
        Except<rpc.Api.RawGetLatestLedgerResponse, { protocolVersion: number }>
      >(),
      getLedgerEntries: fits<LedgerEntriesResult<'base64'>, rpc.Api.RawGetLedgerEntriesResponse>(),
      getLedgers: fits<LedgersResult<'base64'>, rpc.Api.RawGetLedgersResponse>(),
      // The SDK's type has a text; Stellar RPC sends a number (`protocols/rpc/get_network.go`).
      getNetwork: fits<
        RpcResults['getNetwork'],
        Except<rpc.Api.GetNetworkResponse, { protocolVersion: number }>
      >(),
      // The SDK's type has numbers; Stellar RPC sends these times as strings (`protocols/rpc/get_transaction.go`).
      getTransaction: fits<
        TransactionResult<'base64'>,
        Except<
          rpc.Api.RawGetTransactionResponse,
          { latestLedgerCloseTime: string; oldestLedgerCloseTime: string; createdAt?: string }
        >
      >(),
      getTransactions: fits<TransactionsResult<'base64'>, rpc.Api.RawGetTransactionsResponse>(),
      // The SDK's type also has each field in snake case, which Stellar RPC no longer sends.
      getVersionInfo: fits<
        RpcResults['getVersionInfo'],
        Omit<
          rpc.Api.GetVersionInfoResponse,
          'commit_hash' | 'build_timestamp' | 'captive_core_version' | 'protocol_version'
        >
      >(),
      // The SDK's type has a number; Stellar RPC sends the time as a string (`protocols/rpc/send_transaction.go`).
      sendTransaction: fits<
        SendResult<'base64'>,
        Except<rpc.Api.RawSendTransactionResponse, { latestLedgerCloseTime: string }>
      >(),
      // The SDK's type has the id of the call, which is beside the result, and numbers for kinds of changes,
      // which Stellar RPC sends by name (`protocols/rpc/simulate_transaction.go`).
      simulateTransaction: fits<
        SimulationAnswer<'base64'>,
        Except<
          Omit<rpc.Api.RawSimulateTransactionResponse, 'id'>,
          { stateChanges?: ChangeByName[] }
        >
      >(),
    };
    assert.deepEqual(Object.keys(compared).sort(), [...RPC_METHOD_NAMES].sort());
  });
});
