def model(dbt, session):
    dbt.config(materialized="table")
    print("1 of 1", "people")
    return dbt.ref("people_table").where("id > 1")
