-- Description of the NO outcome; the next sync of the catalogue writes it.
ALTER TABLE "markets" ADD COLUMN "no_sub_title" TEXT;
