-- Which database of which server this is, whatever it is called in a URL; by the index of database names.
SELECT servers.system_identifier, databases.oid::bigint AS database
FROM pg_control_system() AS servers
JOIN pg_database AS databases ON databases.datname = current_database()
