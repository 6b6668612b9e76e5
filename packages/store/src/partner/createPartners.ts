import type { PartnerTerms } from '@core/policy';
import { selectListOf } from '../database/columns.ts';
import { decodeDomainJson, encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { Partner, PrismaClient } from '../generated/prisma/client.ts';
import type { InputJsonObject } from '../generated/prisma/internal/prismaNamespace.ts';
import { createId } from '../ids.ts';
import { environmentOf, type PartnerRecord, type PartnerStore } from './partners.ts';

const selectOne: Statement = {
  name: 'partners_by_id',
  text: `SELECT ${selectListOf(['id', 'name', 'environment', 'terms', 'createdAtMs'])} FROM partners WHERE id = $1`,
};

/**
 * Partners change a few times a year: a cold path, so it goes through Prisma. Only the terms of a caller are read again
 * and again, by a statement.
 */
export function createPartners(prisma: PrismaClient, sql: Sql): PartnerStore {
  return {
    async create(partner) {
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
    async byId(id) {
      const row = await sql.row<PartnerRecord>(selectOne, [id]);
      return row === null ? null : { ...row, environment: environmentOf(row.environment) };
    },
    async byName(name) {
      const row = await prisma.partner.findUnique({ where: { name } });
      return row === null ? null : recordOf(row);
    },
    async list() {
      return (await prisma.partner.findMany({ orderBy: { name: 'asc' } })).map(recordOf);
    },
    async updateTerms(id, terms) {
      const { count } = await prisma.partner.updateMany({ where: { id }, data: { terms: jsonOf(terms) } });
      return count === 1;
    },
  };
}

/** Prisma knows JSON without bigints, so terms travel as the plain form of domain JSON. */
function jsonOf(terms: PartnerTerms): InputJsonObject {
  return JSON.parse(encodeDomainJson(terms)) as InputJsonObject;
}

function recordOf(row: Partner): PartnerRecord {
  return {
    id: row.id,
    name: row.name,
    environment: environmentOf(row.environment),
    terms: decodeDomainJson(JSON.stringify(row.terms)) as PartnerTerms,
    createdAtMs: row.createdAt.getTime(),
  };
}
