-- A job that does nothing, in two transactions: claim, finish.
update job j set state='leased', lease_owner='w1', lease_expires_at=now()+interval '30 s', generation=generation+1, attempt=attempt+1
 from (select id from job where queue='default' and state='ready' and run_at<=now() order by priority desc, run_at, id limit 1 for update skip locked) c
 where j.id=c.id returning j.id as jid, j.generation as gen, j.payload::text as pl \gset
update job set state='done', result='null', finished_at=now(), lease_owner=null, lease_expires_at=null where id=:jid and generation=:gen and state='leased';
