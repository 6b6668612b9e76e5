import type { PartnerTerms } from '@core/policy';
import { recordsOf, selectListOf } from '../database/columns.ts';
import { decodeDomainJson, encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { Partner, PrismaClient } from '../generated/prisma/client.ts';
import type { InputJsonObject } from '../generated/prisma/internal/prismaNamespace.ts';
import { createId } from '../ids.ts';

export type Environment = 'production' | 'sandbox';

/** Return the environment that a column names. @throws Error for any other text, which this service did not write. */
function environmentOf(name: string): Environment {
  if (name !== 'production' && name !== 'sandbox') {
    throw new Error(`not an environment: ${name}`);
  }
  return name;
}

/** A partner of one environment. The same company has one record in each. */
export interface PartnerRecord {
  /** `ptn_…` */
  readonly id: string;
  /** Unique in its environment's database. */
  readonly name: string;
  readonly environment: Environment;
  readonly terms: PartnerTerms;
  readonly createdAtMs: number;
}

/** A partner as a list reads it: a row that cannot be read does not keep the others out. */
export interface ListedPartner extends Omit<PartnerRecord, 'environment' | 'terms'> {
  /** An environment, or any other text that the column holds. */
  readonly environment: string;
  /** Null when they cannot be read. */
  readonly terms: PartnerTerms | null;
}

const fields = ['id', 'name', 'environment', 'terms', 'createdAtMs'] as const;
const listed = recordsOf<ListedPartner>(fields);
const selectOne: Statement = {
  name: 'partners_by_id',
  text: `SELECT ${selectListOf(fields)} FROM partners WHERE id = $1`,
};

/** Partners change a few times a year. Each request reads the terms of its caller: that is a prepared statement. */
export function createPartners(prisma: PrismaClient, sql: Sql) {
  return {
    async create(partner: Omit<PartnerRecord, 'id'>): Promise<PartnerRecord> {
      const row = await prisma.partner.create({
        data: {
          id: createId('ptn', partner.createdAtMs),
          name: partner.name,
          environment: partner.environment,
          terms: jsonOf(partner.terms),
          createdAt: new Date(partner.createdAtMs),
        },
      });
      return recordOf(row);
    },
    async byId(id: string): Promise<PartnerRecord | null> {
      const row = await sql.row<PartnerRecord>(selectOne, [id]);
      return row === null ? null : { ...row, environment: environmentOf(row.environment) };
    },
    async byName(name: string): Promise<PartnerRecord | null> {
      const row = await prisma.partner.findUnique({ where: { name } });
      return row === null ? null : recordOf(row);
    },
    /** All partners by name, also those that cannot be read. */
    async list(): Promise<readonly ListedPartner[]> {
      const partners = await listed.many(prisma.partner.findMany({ orderBy: { name: 'asc' } }));
      return partners.map((partner) => (typeof partner.terms === 'object' ? partner : { ...partner, terms: null }));
    },
    /** False when the partner does not exist. Open positions keep the terms they were signed with. */
    async updateTerms(id: string, terms: PartnerTerms): Promise<boolean> {
      const { count } = await prisma.partner.updateMany({ where: { id }, data: { terms: jsonOf(terms) } });
      return count === 1;
    },
  };
}

/** Return terms in the plain form of domain JSON: Prisma's JSON has no bigints. */
function jsonOf(terms: PartnerTerms): InputJsonObject {
  return JSON.parse(encodeDomainJson(terms));
}

function recordOf(row: Partner): PartnerRecord {
  return {
    id: row.id,
    name: row.name,
    environment: environmentOf(row.environment),
    // `jsonOf` alone writes them.
    terms: decodeDomainJson(JSON.stringify(row.terms)) as PartnerTerms,
    createdAtMs: row.createdAt.getTime(),
  };
}

export type PartnerStore = ReturnType<typeof createPartners>;
